import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { describeFolders, folderLinksCountedMax, listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { FolderManager } from "../../../../../components/folders/folder-manager.tsx";
import { Pager } from "../../../../../components/links/pager.tsx";
import { requireScope } from "../../../seat.ts";
import { type Asked, pagesBeside, parseListing, rowsPerPage } from "../listing.ts";
import { deleteFolderAction, saveFolderAction } from "./actions.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("folders");
  return { title: t("heading") };
}

interface FoldersPageProps {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Asked>;
}

export default async function FoldersPage({ params, searchParams }: FoldersPageProps) {
  const { workspace: slug } = await params;
  const listing = parseListing(await searchParams);
  const scope = await requireScope(slug);
  const all = listFoldersQuery.parse({ search: listing.search || undefined });
  // Pages are counted in rows; asking for the first row of the next one says whether it is there.
  const [folders, following] = await Promise.all([
    listFolders(scope, { ...all, page: listing.page, pageSize: rowsPerPage }),
    listFolders(scope, { ...all, page: listing.page * rowsPerPage + 1, pageSize: 1 }),
  ]);
  const uses = await describeFolders(
    scope,
    folders.map(({ id }) => id),
  );
  const path = `/app/${slug}/settings/folders`;
  return (
    <>
      <FolderManager
        folders={folders.map((folder) => ({
          ...folder,
          ...(uses.get(folder.id) ?? { links: 0, changeable: false }),
        }))}
        countedMax={folderLinksCountedMax}
        search={listing.search}
        acts={
          scope.permissions.has("folders.write")
            ? {
                save: saveFolderAction.bind(null, slug),
                remove: deleteFolderAction.bind(null, slug),
              }
            : null
        }
      />
      <div className="mt-4 flex">
        <Pager {...pagesBeside(path, listing, folders.length + following.length)} />
      </div>
    </>
  );
}
