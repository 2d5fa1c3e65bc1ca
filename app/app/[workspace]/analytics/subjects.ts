import { getTranslations } from "next-intl/server";
import { listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { listTags } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";

export interface Subject {
  /** "workspace", or a kind and an id separated by a colon. */
  value: string;
  name: string;
}

/** What analytics can be about. The whole workspace and tags have links of all folders, so `wide` says whether to list them. */
export async function listSubjects(scope: WorkspaceScope, wide: boolean): Promise<Subject[]> {
  const [t, folders, tags] = await Promise.all([
    getTranslations("shares"),
    listFolders(scope, listFoldersQuery.parse({})),
    wide ? listTags(scope, listTagsQuery.parse({})) : [],
  ]);
  return [
    ...(wide ? [{ value: "workspace", name: t("wholeWorkspace") }] : []),
    ...folders.map(({ id, name }) => ({ value: `folder:${id}`, name: t("folderOf", { name }) })),
    ...tags.map(({ id, name }) => ({ value: `tag:${id}`, name: t("tagOf", { name }) })),
  ];
}
