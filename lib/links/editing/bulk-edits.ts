/** The same change for many links, a thousand in a transaction. */
import { setImmediate } from "node:timers/promises";
import { slicesOf } from "#lib/links/creating";
import { type LinkFailure, loadLookups } from "#lib/links/fields";
import type { EditLink } from "#lib/links/fields/schema";
import { addContext, findByExternalIds, type LinkWithContext } from "#lib/links/presenting";
import { publishChanges } from "#lib/platform/cache-sync";
import { parseId, presentId } from "#lib/platform/ids";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { deleteRows } from "./delete.ts";
import { updateRows } from "./edit.ts";
import { publishEdits } from "./publish.ts";

/** Rows per transaction. */
const editRowsMax = 1_000;

/** The ids of links given by id or externalId, without duplicates; unknown links are omitted. */
async function namedIds(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  externalIds: readonly string[],
): Promise<string[]> {
  const ids = new Set(linkIds.map((id) => parseId("link", id)).filter((id) => id !== undefined));
  for (const names of slicesOf(externalIds, editRowsMax)) {
    for (const { id } of await findByExternalIds(scope.workspacePk, names)) ids.add(id);
  }
  return [...ids];
}

export interface BulkEditResult {
  shown: LinkWithContext[];
  /** Links that the change is invalid for, such as an expiration before their start. */
  refused: ({ id: string } & LinkFailure)[];
}

/** Applies one change to many links, a thousand per transaction. */
export async function editLinksInBulk(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  externalIds: readonly string[],
  body: EditLink,
): Promise<BulkEditResult> {
  assertMay(scope, "links.write");
  const lookups = await loadLookups(scope, [body]);
  const done: BulkEditResult = { shown: [], refused: [] };
  for (const ids of slicesOf(await namedIds(scope, linkIds, externalIds), editRowsMax)) {
    const edits = await updateRows(scope, ids, body, lookups);
    await publishEdits(edits);
    const rows = edits.outcomes.flatMap((outcome) => (outcome.ok ? [outcome.row] : []));
    done.shown.push(...(await addContext(scope, rows)));
    for (const outcome of edits.outcomes) {
      if (!outcome.ok) done.refused.push({ ...outcome, id: presentId("link", outcome.id) });
    }
    await setImmediate();
  }
  return done;
}

/** Deletes many links, a thousand per transaction. Returns their number. */
export async function deleteLinksInBulk(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  externalIds: readonly string[],
): Promise<number> {
  assertMay(scope, "links.write");
  let deleted = 0;
  for (const ids of slicesOf(await namedIds(scope, linkIds, externalIds), editRowsMax)) {
    const deletion = await deleteRows(scope, ids);
    await publishChanges(deletion.published);
    deleted += deletion.ids.length;
    await setImmediate();
  }
  return deleted;
}
