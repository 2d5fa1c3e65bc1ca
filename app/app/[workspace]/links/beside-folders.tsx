import { Ellipsis, Folder, Folders, FolderX } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import type { NamedOption } from "#components/links/names.ts";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { noFolder } from "#lib/links/reading/schema";
import { type LinksQuery, urlOf } from "./query.ts";
import { railFoldersMax } from "./read-list.ts";

interface FolderRailProps {
  workspace: string;
  query: LinksQuery;
  folders: readonly NamedOption[];
}

/** The list, as wide as the window allows, next to the folders if there are any. */
export function BesideFolders({ children, ...rail }: FolderRailProps & { children: ReactNode }) {
  return (
    <div data-wide className="mt-4 min-[1400px]:flex min-[1400px]:items-start min-[1400px]:gap-6">
      {rail.folders.length > 0 ? <FolderRail {...rail} /> : null}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** Folders that filter the list, and take the links that are dropped on them. */
async function FolderRail({ workspace, query, folders }: FolderRailProps) {
  const t = await getTranslations("folderRail");
  const hrefOf = (folder: string) => urlOf(`/app/${workspace}/links`, { ...query, folder }, {});
  const item = (id: string, icon: ReactNode, name: string) => (
    <li key={id}>
      <PrefetchLink
        href={hrefOf(id)}
        aria-current={query.folder === id ? "true" : undefined}
        {...(id === "" ? {} : { "data-folder": id === noFolder ? "" : id })}
        className={itemClass}
      >
        {icon}
        <span className="truncate" title={name}>
          {name}
        </span>
      </PrefetchLink>
    </li>
  );
  return (
    <nav
      aria-label={t("label")}
      className="sticky top-4 hidden max-h-[calc(100dvh-2rem)] w-44 shrink-0 overflow-y-auto min-[1400px]:block"
    >
      <ul className="grid grid-cols-1 gap-0.5">
        {item("", <Folders aria-hidden />, t("all"))}
        {item(noFolder, <FolderX aria-hidden />, t("without"))}
        {folders.map(({ id, name }) => item(id, <Folder aria-hidden />, name))}
        {folders.length === railFoldersMax ? (
          <li>
            <PrefetchLink href={`/app/${workspace}/settings/folders`} className={itemClass}>
              <Ellipsis aria-hidden />
              {t("more")}
            </PrefetchLink>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

const itemClass =
  "flex h-8 items-center gap-2 rounded-md px-2 text-ink-muted text-sm hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink data-over:bg-accent-soft data-over:text-ink data-over:outline-2 data-over:outline-accent data-over:-outline-offset-2 pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0";
