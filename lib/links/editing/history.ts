/**
 * The history of a link, and restoring an earlier state.
 *
 * The audit log has each change with the old and new values of its fields. The state after an entry follows from the
 * later changes: for each field, the old value of the first of them. Restoring is an ordinary edit with all of its
 * checks; it names the revision that was shown, so that it never overwrites an unseen change.
 */

import { lookUp, type Refusal } from "#lib/links/fields";
import { type EditLink, editLinkBody } from "#lib/links/fields/schema";
import { findFolder } from "#lib/links/folders";
import { findRows } from "#lib/links/presenting";
import { findTags } from "#lib/links/tags";
import { AppError } from "#lib/platform/errors";
import { parseId } from "#lib/platform/ids";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type DeedFilter, findDeeds } from "#lib/tenancy/audit";
import type { AuditEntry } from "#lib/tenancy/audit/schema";
import { updateRows } from "./edit.ts";
import { publishEdits } from "./publish.ts";
import { type FieldChange, type History, type HistoryEntry, historyPageSize } from "./schema.ts";

/** Changes between a state and now. */
const stepsMax = 500;
const missing = "Link not found in this workspace.";

/** A page of the changes of a visible link, newest first. */
export async function listHistory(
  scope: WorkspaceScope,
  linkId: string,
  after?: string,
): Promise<History> {
  assertMay(scope, "links.read");
  const row = await findOwn(scope, linkId);
  const startingAfter = after === undefined ? undefined : parseId("aud", after);
  const size = historyPageSize + 1;
  const deeds = await findDeeds(scope.workspacePk, { ...of(linkId), size, startingAfter });
  const entries = deeds.slice(0, historyPageSize).map(presentEntry);
  return {
    entries,
    revision: row.revision,
    more: deeds.length > historyPageSize,
    names: await namesIn(scope, entries),
  };
}

function of(linkId: string): Pick<DeedFilter, "subject" | "action"> {
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

function presentEntry({ id, at, actor, action, details }: AuditEntry): HistoryEntry {
  return { id, at, actor, action, changes: action === "link.edit" ? changesIn(details) : [] };
}

function changesIn(details: AuditEntry["details"]): FieldChange[] {
  return Object.entries(details ?? {}).map(([field, change]) => {
    const told = typeof change === "object" && change !== null && "to" in change;
    return told ? { field, ...sides(change) } : { field };
  });
}

function sides(change: { to: unknown; from?: unknown }): { from: unknown; to: unknown } {
  return { from: change.from ?? null, to: change.to };
}

/** Names of the tags and folders in entries, as far as they exist and are visible to the actor. */
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

export type WentBack = { ok: true; revision: number; leftOut: string[] } | Refusal;

/**
 * Restores the state of a link after an entry of its history, or after its creation (null). `seen` is the revision that
 * was shown. Values that no longer exist (a tag, a folder) or were never stored (a password) are omitted and listed.
 */
export async function restoreState(
  scope: WorkspaceScope,
  linkId: string,
  entryId: string | null,
  seen: number,
): Promise<WentBack> {
  assertMay(scope, "links.write");
  const row = await findOwn(scope, linkId);
  const before = await stateAfter(scope, linkId, entryId);
  const { body, leftOut } = await bodyOf(scope, before);
  const named = body.key && !body.domain ? { ...body, domain: row.slug } : body;
  const lookups = await lookUp(scope, [named]);
  const edits = await updateRows(scope, [row.id], named, lookups, seen);
  const [outcome] = edits.outcomes;
  if (!outcome) throw new AppError("not_found", missing);
  if (!outcome.ok) return outcome;
  await publishEdits(edits);
  return { ok: true, revision: outcome.row.revision, leftOut };
}

/** Each field that changed since, with its value then. `true`: only the change itself is known. */
async function stateAfter(
  scope: WorkspaceScope,
  linkId: string,
  entryId: string | null,
): Promise<Map<string, FieldChange>> {
  const until = entryId === null ? undefined : parseId("aud", entryId);
  const [entry] =
    until === undefined
      ? []
      : await findDeeds(scope.workspacePk, { ...of(linkId), size: 1, startingAfter: next(until) });
  if (entryId !== null && entry?.id !== entryId) {
    throw new AppError("not_found", "Change not found in the history of this link.");
  }
  const later = await findDeeds(scope.workspacePk, {
    ...of(linkId),
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

/** The next uuid: the entries before it include this one. */
function next(uuid: string): string {
  const number = BigInt(`0x${uuid.replaceAll("-", "")}`) + 1n;
  const digits = number.toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** These cannot be restored: one is decided by the operator, the other is not stored. */
const unkept = new Set(["bannedAt", "password"]);

async function bodyOf(scope: WorkspaceScope, fields: ReadonlyMap<string, FieldChange>) {
  const leftOut: string[] = [];
  const wishes: [string, unknown][] = [];
  for (const { field, from } of fields.values()) {
    if (unkept.has(field) || from === undefined) leftOut.push(field);
    else wishes.push(wishOf(field, from));
  }
  const parsed = editLinkBody.safeParse(Object.fromEntries(wishes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("unprocessable_entity", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  const body = await withoutGone(scope, parsed.data, leftOut);
  return { body, leftOut };
}

/** The edit that gives a field this value. */
function wishOf(field: string, value: unknown): [string, unknown] {
  if (field === "disabledAt") return ["disabled", value !== null];
  if (field === "redirectStatus" && value === 0) return [field, null];
  return [field, value];
}

async function withoutGone(scope: WorkspaceScope, body: EditLink, leftOut: string[]) {
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
  return kept;
}
