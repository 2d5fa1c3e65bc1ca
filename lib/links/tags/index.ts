import { newId, parseId } from "#lib/basics/ids";
import { untagBatch } from "#lib/links/link-rows";
import { visibleLinks } from "#lib/links/visible-links";
import { AppError, assertRoom } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { takeQuota } from "#lib/tenancy/quotas";
import type { ListTags, Tag, TagBody } from "./schema.ts";
import {
  countByColor,
  countLinksOf,
  deleteRow,
  findPk,
  insertRow,
  isNameTaken,
  leastUsedColor,
  listRows,
  lockRow,
  updateRow,
} from "./store.ts";

export { findTags } from "./store.ts";

/** Counting all links of every tag would be slow, so lists show "more than" this number. */
export const tagLinksCountedMax = 10_000;
/** Per workspace, in every plan: pages offer all tags in one menu. */
const tagsMax = 5_000;
/** Rows per statement, so that removing a tag does not block concurrent tagging for long. */
const detachedMax = 10_000;

export async function createTag(scope: WorkspaceScope, body: TagBody): Promise<Tag> {
  assertMay(scope, "tags.write");
  const name = body.name ?? body.tag;
  if (name === undefined) throw new AppError("unprocessable_entity", "name is required.");
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    // One create at a time, so that count and least used color are exact until the commit.
    await lockWorkspace(tx, workspacePk);
    const used = await countByColor(tx, workspacePk);
    const count = [...used.values()].reduce((sum, one) => sum + one, 0);
    assertRoom(count, tagsMax, "tags");
    const quota = await takeQuota(tx, scope, "tags", 1);
    if (!quota.ok) throw new AppError("forbidden", quota.message);
    const tag = { id: newId("tag"), name, color: body.color ?? leastUsedColor(used) };
    if (!(await insertRow(tx, workspacePk, tag))) throw nameTaken(name);
    await recordAudit(tx, [{ workspacePk, actor, action: "tag.create", subject: tag.id }]);
    return tag;
  });
}

export function listTags(scope: WorkspaceScope, query: ListTags): Promise<Tag[]> {
  assertMay(scope, "tags.read");
  const ids = query.ids?.filter((id) => parseId("tag", id) !== undefined);
  return listRows(scope.workspacePk, { ...query, ids });
}

/** Number of visible links per tag id. `tagLinksCountedMax` + 1 means "more than that". */
export async function countTagLinks(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, number>> {
  assertMay(scope, "tags.read");
  // defence: tag-counts-without-hidden
  const seen = await visibleLinks(scope);
  const rows = await countLinksOf(scope.workspacePk, ids, seen, tagLinksCountedMax + 1);
  return new Map(rows.map(({ id, links }) => [id, links]));
}

export async function editTag(scope: WorkspaceScope, id: string, body: TagBody): Promise<Tag> {
  assertMay(scope, "tags.write");
  assertId(id);
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    const before = await lockRow(tx, workspacePk, id);
    if (!before) throw missing(id);
    const tag = {
      ...before,
      name: body.name ?? body.tag ?? before.name,
      color: body.color ?? before.color,
    };
    await updateRow(tx, tag);
    const details = changesOf(before, tag);
    await recordAudit(tx, [{ workspacePk, actor, action: "tag.edit", subject: id, details }]);
    return tag;
  }).catch((error: unknown) => {
    // The unique index on names decides between concurrent edits.
    throw isNameTaken(error) ? nameTaken(String(body.name ?? body.tag)) : error;
  });
}

export async function deleteTag(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "tags.write");
  assertId(id);
  const { workspacePk, actor } = scope;
  const pk = await findPk(workspacePk, id);
  if (pk === undefined) throw missing(id);
  let detached = detachedMax;
  // Each statement commits by itself. Links that get the tag meanwhile lose it with its row.
  while (detached === detachedMax) detached = await untagBatch(pk, detachedMax);
  await transaction(async (tx) => {
    const name = await deleteRow(tx, workspacePk, pk);
    if (name === undefined) throw missing(id);
    const details = { name };
    await recordAudit(tx, [{ workspacePk, actor, action: "tag.delete", subject: id, details }]);
  });
  return { id };
}

/** An invalid id could contain characters that no column accepts. */
function assertId(id: string): void {
  if (parseId("tag", id) === undefined) throw missing(id);
}

function missing(id: string): AppError {
  return new AppError("not_found", `Tag "${id}" not found in this workspace.`);
}

function nameTaken(name: string): AppError {
  return new AppError("conflict", `name: A tag "${name}" already exists. Choose another name.`);
}
