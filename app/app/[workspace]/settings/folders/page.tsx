import { FolderManager } from "#components/folders/folder-manager";
import { Pager } from "#components/links/pager";
import { describeFolders, folderLinksCountedMax, listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { neighborPages, parseListing, readPage } from "../../listing.ts";
import { QuotaNote } from "../../quota-note.tsx";
import { deleteFolderAction, saveFolderAction } from "./actions.ts";

export const generateMetadata = titleOf("folders.heading");

export default async function FoldersPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace: slug } = await params;
  const listing = parseListing(await searchParams);
  const scope = await requireScope(slug);
  const { rows: folders, found } = await readPage(listing, ({ search, ...page }) =>
    listFolders(scope, { ...listFoldersQuery.parse({ search }), ...page }),
  );
  const uses = await describeFolders(
    scope,
    folders.map(({ id }) => id),
  );
  const path = `/app/${slug}/settings/folders`;
  return (
    <Texts of={["folders", "named"]}>
      <QuotaNote scope={scope} name="folders" />
      <FolderManager
        folders={folders.map((folder) => ({
          ...folder,
          ...(uses.get(folder.id) ?? { links: 0, changeable: false }),
        }))}
        countedMax={folderLinksCountedMax}
        search={listing.search}
        actions={
          scope.permissions.has("folders.write")
            ? {
                save: saveFolderAction.bind(null, slug),
                remove: deleteFolderAction.bind(null, slug),
              }
            : null
        }
      />
      <div className="mt-4 flex">
        <Pager {...neighborPages(path, listing, found)} />
      </div>
    </Texts>
  );
}
