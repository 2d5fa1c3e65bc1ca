import { presentId } from "#lib/basics/ids";
import { createUnmatched, type LinkOutcome } from "#lib/links/creating";
import { externalIdTaken, linkFailure, loadLookups } from "#lib/links/fields";
import type { EditLink, NewLink } from "#lib/links/fields/schema";
import { isExternalIdTaken } from "#lib/links/link-rows";
import {
  type FoundLink,
  findRows,
  missingLink,
  presentFound,
  presentLink,
  resolveLinkUuid,
} from "#lib/links/presenting";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { deleteRows } from "./delete.ts";
import { type EditAuthor, publishEdits, updateRows, writeChanges } from "./edit.ts";

export { deleteLinksInBulk, editLinksInBulk, type LeftLink } from "./bulk-edits.ts";

export { changeGroup } from "./group.ts";
export { listHistory, restoreState, type StateRestore, undoEdit } from "./history.ts";

export {
  deleteLinksWithUndo,
  forgetDeletedJob,
  restoreLinks,
} from "./undo-delete.ts";

/** Edits the link with this URL, or creates one. Concurrent callers get the same link. */
export async function upsertLink(scope: WorkspaceScope, body: NewLink): Promise<LinkOutcome> {
  assertMay(scope, "links.write");
  const outcome = await createUnmatched(scope, body);
  if (!outcome.ok) return outcome;
  if ("found" in outcome) {
    const { keyLength: _length, prefix: _prefix, reuse: _reuse, ...edit } = body;
    const edited = await editOne(scope, outcome.found, edit);
    if (edited) return edited;
    const message = "The existing link for this url was just deleted. Send the request again.";
    throw new AppError("conflict", message);
  }
  return { ok: true, link: presentLink(outcome.row, outcome.context) };
}

/** Edits a link. Every visit uses the change within a second. */
export async function editLink(
  scope: WorkspaceScope,
  id: string,
  body: EditLink,
): Promise<LinkOutcome> {
  assertMay(scope, "links.write");
  const outcome = await editOne(scope, await resolveLinkUuid(scope, id), body);
  if (!outcome) throw missingLink(id);
  return outcome;
}

async function editOne(
  scope: WorkspaceScope,
  uuid: string,
  body: EditLink,
): Promise<LinkOutcome | undefined> {
  const named = await withDomain(scope, uuid, body);
  const lookups = await loadLookups(scope, [named]);
  const edits = await updateRows(scope, [uuid], named, lookups).catch(asExternalIdTaken);
  if (!edits) return linkFailure("external_id_taken", externalIdTaken(body.externalId));
  const [outcome] = edits.outcomes;
  if (!outcome) return undefined;
  if (!outcome.ok) return outcome;
  await publishEdits(edits);
  const [link] = await presentFound(scope, [outcome.row]);
  return link && { ok: true, link };
}

function asExternalIdTaken(error: unknown): undefined {
  if (!isExternalIdTaken(error)) throw error;
}

/** Which keys are valid depends on the domain. An edit of the key alone keeps the link’s domain. */
async function withDomain(scope: WorkspaceScope, uuid: string, body: EditLink): Promise<EditLink> {
  if (!body.key || body.domain) return body;
  const [row] = await findRows(scope.workspacePk, [uuid]);
  return row ? { ...body, domain: row.slug } : body;
}

/** Deletes a link. Every visit gets a 404 within a second. */
export async function deleteLink(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const { ids, published, kept } = await deleteRows(scope, [await resolveLinkUuid(scope, id)]);
  const [deleted] = ids;
  const [failure] = kept;
  if (failure) throw new AppError("forbidden", failure.message);
  if (deleted === undefined) throw missingLink(id);
  await publishChanges(published);
  return { id: presentId("link", deleted) };
}

interface DisabledLinks {
  count: number;
  changes: CacheChange[];
}

/** Turns off links that are on and that `isWanted` accepts, for administrators of the instance. */
export async function disableLinks(
  tx: Connection,
  author: EditAuthor,
  ids: readonly string[],
  isWanted: (row: FoundLink) => boolean,
): Promise<DisabledLinks> {
  const rows = await findRows(author.workspacePk, ids, tx);
  const wanted = rows.filter((row) => row.disabled_at === null && isWanted(row));
  const changes = await writeChanges(
    tx,
    author,
    wanted.map((before) => ({
      before,
      after: { ...before, disabled_at: new Date() },
      tags: undefined,
    })),
  );
  return { count: wanted.length, changes };
}
