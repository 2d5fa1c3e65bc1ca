/**
 * The history of a link, and restoring an earlier state. The audit log has the old and new values
 * of each change. The state after an entry follows from the later changes: each field gets the old
 * value of its first change. Restoring is an ordinary edit with all checks. It names the revision
 * that was shown, so that it never overwrites an unseen change.
 */
import { parseId } from "#lib/basics/ids";
import { type LinkFailure, loadLookups } from "#lib/links/fields";
import { type EditLink, editLinkBody } from "#lib/links/fields/schema";
import { findFolder } from "#lib/links/folders";
import { columnList } from "#lib/links/link-columns/schema";
import { findRows } from "#lib/links/presenting";
import { withKnownLogo } from "#lib/links/qr-design";
import { findTags } from "#lib/links/tags";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { isGuest } from "#lib/tenancy/access/schema";
import { type AuditFilter, findAuditEntries } from "#lib/tenancy/audit";
import type { PresentedAuditEntry } from "#lib/tenancy/audit/schema";
import { changedMeanwhile, publishEdits, updateRows } from "./edit.ts";
import { type FieldChange, type History, type HistoryEntry, historyPageSize } from "./schema.ts";

const stepsMax = 500;
const missing = "Link not found in this workspace.";

export async function listHistory(
  scope: WorkspaceScope,
  linkId: string,
  after?: string,
): Promise<History> {
  assertMay(scope, "links.read");
  const row = await findOwn(scope, linkId);
  // defence: guest-sees-no-history
  if (isGuest(scope)) return { entries: [], revision: row.revision, more: false, names: {} };
  const startingAfter = after === undefined ? undefined : parseId("aud", after);
  const size = historyPageSize + 1;
  const audited = await findAuditEntries(scope.workspacePk, {
    ...auditFilterOf(linkId),
    size,
    startingAfter,
  });
  const entries = audited.slice(0, historyPageSize).map(presentEntry);
  return {
    entries,
    revision: row.revision,
    more: audited.length > historyPageSize,
    names: await namesIn(scope, entries),
  };
}

function auditFilterOf(linkId: string): Pick<AuditFilter, "subject" | "action"> {
  return { subject: linkId, action: "link.*" };
}

async function findOwn(scope: WorkspaceScope, linkId: string) {
  const uuid = parseId("link", linkId);
  const [row] = uuid ? await findRows(scope.workspacePk, [uuid]) : [];
  if (!row || (row.folder_id && !(await findFolder(scope, row.folder_id)))) {
    throw new AppError("not_found", missing);
  }
  return row;
}

function presentEntry({ id, at, actor, action, details }: PresentedAuditEntry): HistoryEntry {
  return { id, at, actor, action, changes: action === "link.edit" ? changesIn(details) : [] };
}

function changesIn(details: PresentedAuditEntry["details"]): FieldChange[] {
  return Object.entries(details ?? {}).map(([field, change]) => {
    const hasSides = typeof change === "object" && change !== null && "to" in change;
    return hasSides ? { field, ...sides(change) } : { field };
  });
}

function sides(change: { to: unknown; from?: unknown }): { from: unknown; to: unknown } {
  return { from: change.from ?? null, to: change.to };
}

async function namesIn(
  scope: WorkspaceScope,
  entries: readonly HistoryEntry[],
): Promise<Record<string, string>> {
  const valuesOf = (name: string) =>
    entries.flatMap(({ changes }) =>
      changes.flatMap(({ field, from, to }) => (field === name ? [from, to].flat() : [])),
    );
  const idsOf = (name: string) => [
    ...new Set(valuesOf(name).filter((value) => typeof value === "string")),
  ];
  const tagIds = idsOf("tagIds");
  const [tags, folders] = await Promise.all([
    tagIds.length > 0 ? findTags(scope.workspacePk, tagIds, []) : [],
    Promise.all(idsOf("folderId").map((id) => findFolder(scope, id))),
  ]);
  const named = [...tags, ...folders].filter((one) => one !== undefined);
  return Object.fromEntries(named.map(({ id, name }) => [id, name]));
}

export type StateRestore = { ok: true; revision: number; leftOut: string[] } | LinkFailure;

/**
 * Restores a link’s state after an entry of its history, or after its creation (null).
 * `seenRevision` is the revision that was shown. Values that no longer exist (tags, folders) or
 * were never stored (passwords) are omitted and listed.
 */
export async function restoreState(
  scope: WorkspaceScope,
  linkId: string,
  entryId: string | null,
  seenRevision: number,
): Promise<StateRestore> {
  assertMay(scope, "links.write");
  const row = await findOwn(scope, linkId);
  const before = await stateAfter(scope, linkId, entryId);
  const { body, leftOut } = await bodyOf(scope, before);
  const named = body.key && !body.domain ? { ...body, domain: row.slug } : body;
  const lookups = await loadLookups(scope, [named]);
  const edits = await updateRows(scope, [row.id], named, lookups, seenRevision);
  const [outcome] = edits.outcomes;
  if (!outcome) throw new AppError("not_found", missing);
  if (!outcome.ok) return outcome;
  await publishEdits(edits);
  return { ok: true, revision: outcome.row.revision, leftOut };
}

/** Undoes an edit that this person made, unless the link was changed since then. */
export async function undoEdit(
  scope: WorkspaceScope,
  linkId: string,
  savedAt: string,
): Promise<StateRestore> {
  assertMay(scope, "links.write");
  const { updated_at: updatedAt, revision } = await findOwn(scope, linkId);
  const [edit, before] = await findAuditEntries(scope.workspacePk, {
    ...auditFilterOf(linkId),
    size: 2,
  });
  const isOwn = edit?.actor.id === scope.actor && edit.action === "link.edit";
  if (!isOwn || updatedAt.toISOString() !== savedAt) return changedMeanwhile();
  return await restoreState(scope, linkId, before?.id ?? null, revision);
}

/** Each field that changed since, with its value at that time. */
async function stateAfter(scope: WorkspaceScope, linkId: string, entryId: string | null) {
  const until = entryId === null ? undefined : parseId("aud", entryId);
  const [entry] =
    until === undefined
      ? []
      : await findAuditEntries(scope.workspacePk, {
          ...auditFilterOf(linkId),
          size: 1,
          startingAfter: nextUuid(until),
        });
  if (entryId !== null && entry?.id !== entryId) {
    throw new AppError("not_found", "Change not found in the history of this link.");
  }
  const later = await findAuditEntries(scope.workspacePk, {
    ...auditFilterOf(linkId),
    size: stepsMax + 1,
    endingBefore: until ?? firstUuid,
  });
  if (later.length > stepsMax) {
    const message = `More than ${stepsMax} changes have been made since. Restore a more recent one first.`;
    throw new AppError("unprocessable_entity", message);
  }
  const fields = new Map<string, FieldChange>();
  for (const { action, details } of later) {
    if (action !== "link.edit") continue;
    for (const change of changesIn(details)) fields.set(change.field, change);
  }
  return fields;
}

const firstUuid = "00000000-0000-0000-0000-000000000000";

/** Entries before the next uuid include this one. */
function nextUuid(uuid: string): string {
  const number = BigInt(`0x${uuid.replaceAll("-", "")}`) + 1n;
  const digits = number.toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const unrestorable = new Set<string>(
  columnList.filter(({ form, sealed }) => !form || sealed).map(({ name }) => name),
);

async function bodyOf(scope: WorkspaceScope, fields: ReadonlyMap<string, FieldChange>) {
  const leftOut: string[] = [];
  const editFields: [string, unknown][] = [];
  for (const { field, from } of fields.values()) {
    if (unrestorable.has(field) || from === undefined) leftOut.push(field);
    else editFields.push(editFieldOf(field, from));
  }
  const parsed = editLinkBody.safeParse(Object.fromEntries(editFields));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("unprocessable_entity", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  const body = await withoutDeleted(scope, parsed.data, leftOut);
  return { body, leftOut };
}

function editFieldOf(field: string, value: unknown): [string, unknown] {
  if (field === "disabledAt") return ["disabled", value !== null];
  if (field === "redirectStatus" && value === 0) return [field, null];
  return [field, value];
}

async function withoutDeleted(scope: WorkspaceScope, body: EditLink, leftOut: string[]) {
  const kept = { ...body };
  const tagIds = Array.isArray(body.tagIds) ? body.tagIds : [];
  const found = tagIds.length > 0 ? await findTags(scope.workspacePk, tagIds, []) : [];
  if (found.length < tagIds.length) {
    kept.tagIds = found.map(({ id }) => id);
    leftOut.push("tagIds");
  }
  if (body.folderId && !(await findFolder(scope, body.folderId))) {
    delete kept.folderId;
    leftOut.push("folderId");
  }
  if (body.qr) {
    kept.qr = await withKnownLogo(scope.workspacePk, body.qr);
    if (kept.qr.logoId !== body.qr.logoId) leftOut.push("qr");
  }
  return kept;
}
