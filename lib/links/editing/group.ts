/**
 * Edits selected links in one transaction and returns the steps that undo it. An undo is an
 * ordinary edit that only affects changed links and tags, so concurrent changes by others stay. It
 * needs no stored state and no extra permission.
 */
import { parseId, presentId } from "#lib/basics/ids";
import { type LinkFailureCode, type Lookups, linkFailure, type TagRow } from "#lib/links/fields";
import { groupLinksMax, tagsMax } from "#lib/links/fields/schema";
import { resolveFolders } from "#lib/links/folders";
import { type FoundLink, findRows, listTagRows } from "#lib/links/presenting";
import { findTags } from "#lib/links/tags";
import { AppError } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import {
  accessOf,
  type EditOutcome,
  type EditResult,
  editOutcome,
  type PreparedEdit,
  pksOf,
  publishEdits,
  tagsChange,
  writeEdits,
} from "./edit.ts";
import { backToHost, type HostRules, loadHostRules, putHost } from "./replace-host.ts";
import type { GroupStep } from "./schema.ts";

export type GroupOutcome =
  | { id: string; ok: true; changed: boolean }
  | { id: string; ok: false; code: LinkFailureCode | "gone"; message: string };

export interface GroupChange {
  outcomes: GroupOutcome[];
  undo: GroupStep[];
}

interface StepNames {
  tags: ReadonlyMap<string, TagRow>;
  folders: Lookups["folders"];
  hostRules: HostRules | undefined;
}

/** `record` runs in the same transaction. If it throws, nothing is changed. */
export async function changeGroup(
  scope: WorkspaceScope,
  steps: readonly GroupStep[],
  record?: (tx: Connection, change: GroupChange) => Promise<void>,
): Promise<GroupChange> {
  assertMay(scope, "links.write");
  const ids = [...new Set(steps.flatMap(({ linkIds }) => linkIds))];
  if (ids.length > groupLinksMax) {
    throw new AppError("unprocessable_entity", `Select at most ${groupLinksMax} links.`);
  }
  const uuids = ids.flatMap((id) => parseId("link", id) ?? []);
  const [names, access] = await Promise.all([resolveSteps(scope, steps), accessOf(scope)]);
  const { edits, change } = await transaction(async (tx) => {
    const found = access.visible(await findRows(scope.workspacePk, uuids, tx));
    const tags = await listTagRows(pksOf(found), tx);
    const stepsOf = groupByLink(steps);
    const prepared = found.map((before): PreparedEdit => {
      const own = stepsOf.get(presentId("link", before.id)) ?? [];
      const edited =
        access.failureOf(before) ?? applySteps(before, tags.get(before.pk), own, names);
      return { before, edited };
    });
    const edits = await writeEdits(tx, scope, prepared);
    const change = { outcomes: outcomesOf(ids, edits), undo: undoOf(prepared, stepsOf) };
    await record?.(tx, change);
    return { edits, change };
  });
  await publishEdits(edits);
  return change;
}

async function resolveSteps(
  scope: WorkspaceScope,
  steps: readonly GroupStep[],
): Promise<StepNames> {
  const tagIds = steps.flatMap(({ addTagIds = [], removeTagIds = [] }) => [
    ...addTagIds,
    ...removeTagIds,
  ]);
  const folderIds = steps.flatMap(({ folderId }) => folderId ?? []);
  const [tags, folders, hostRules] = await Promise.all([
    tagIds.length > 0 ? findTags(scope.workspacePk, [...new Set(tagIds)], []) : [],
    resolveFolders(scope, [...new Set(folderIds)], "write"),
    loadHostRules(scope.workspacePk, steps),
  ]);
  return { tags: new Map(tags.map((tag) => [tag.id, tag])), folders, hostRules };
}

function groupByLink(steps: readonly GroupStep[]): Map<string, GroupStep[]> {
  const byLink = new Map<string, GroupStep[]>();
  for (const step of steps) {
    for (const id of step.linkIds) byLink.set(id, [...(byLink.get(id) ?? []), step]);
  }
  return byLink;
}

function applySteps(
  before: FoundLink,
  tagsBefore: readonly TagRow[] = [],
  steps: readonly GroupStep[],
  names: StepNames,
): EditOutcome {
  const after = { ...before };
  const tags = new Map(tagsBefore.map((tag) => [tag.pk, tag]));
  for (const step of steps) {
    const failure =
      putFolder(after, step, names) ??
      putTags(tags, step, names) ??
      putHost(after, step.replaceHost, names.hostRules);
    if (failure) return failure;
    if (step.archived !== undefined) after.archived = step.archived;
    if (step.disabled !== undefined) {
      after.disabled_at = step.disabled ? (after.disabled_at ?? new Date()) : null;
    }
  }
  return editOutcome(before, after, tagsChange(tagsBefore, [...tags.values()]));
}

function putFolder(row: FoundLink, { folderId, ifFolder }: GroupStep, { folders }: StepNames) {
  if (folderId === undefined || (ifFolder !== undefined && ifFolder !== row.folder_id)) {
    return undefined;
  }
  const folder = folderId === null ? undefined : folders.get(folderId);
  if (folder && !folder.ok) return folder;
  row.folder_pk = folder?.pk ?? null;
  row.folder_id = folderId;
  return undefined;
}

function putTags(tags: Map<number, TagRow>, step: GroupStep, names: StepNames) {
  for (const id of step.removeTagIds ?? []) {
    const tag = names.tags.get(id);
    if (tag) tags.delete(tag.pk);
  }
  for (const id of step.addTagIds ?? []) {
    const tag = names.tags.get(id);
    if (!tag)
      return linkFailure("tag_unknown", `Tag "${id}" not found in this workspace. Remove it.`);
    tags.set(tag.pk, tag);
  }
  if (tags.size <= tagsMax) return undefined;
  return linkFailure("tags_too_many", `A link can have up to ${tagsMax} tags. Remove some first.`);
}

function outcomesOf(ids: readonly string[], { outcomes }: EditResult): GroupOutcome[] {
  const byId = new Map(outcomes.map((outcome) => [presentId("link", outcome.id), outcome]));
  return ids.map((id): GroupOutcome => {
    const outcome = byId.get(id);
    if (!outcome) return { id, ok: false, code: "gone", message: `Link "${id}" not found.` };
    if (!outcome.ok) return { id, ok: false, code: outcome.code, message: outcome.message };
    return { id, ok: true, changed: outcome.changed };
  });
}

function undoOf(
  prepared: readonly PreparedEdit[],
  stepsOf: ReadonlyMap<string, GroupStep[]>,
): GroupStep[] {
  const steps = new Map<string, GroupStep>();
  for (const { before, edited } of prepared) {
    if (!edited.ok || !edited.changed) continue;
    const back = inverseOf(before, edited);
    const own = stepsOf.get(presentId("link", before.id)) ?? [];
    const host = backToHost(before, edited.row, own);
    if (host) back.replaceHost = host;
    const name = JSON.stringify(back);
    const step = steps.get(name) ?? { ...back, linkIds: [] };
    step.linkIds.push(presentId("link", before.id));
    steps.set(name, step);
  }
  return [...steps.values()];
}

function inverseOf(before: FoundLink, { row, tags }: Extract<EditOutcome, { ok: true }>) {
  const back: Omit<GroupStep, "linkIds"> = {};
  if (before.archived !== row.archived) back.archived = before.archived;
  const wasDisabled = before.disabled_at !== null;
  if (wasDisabled !== (row.disabled_at !== null)) back.disabled = wasDisabled;
  if (before.folder_pk !== row.folder_pk) {
    back.folderId = before.folder_id;
    back.ifFolder = row.folder_id;
  }
  const added = without(tags?.to, tags?.from);
  const removed = without(tags?.from, tags?.to);
  if (added.length > 0) back.removeTagIds = added;
  if (removed.length > 0) back.addTagIds = removed;
  return back;
}

function without(tags: readonly TagRow[] = [], others: readonly TagRow[] = []): string[] {
  const left = new Set(others.map(({ pk }) => pk));
  return tags.filter(({ pk }) => !left.has(pk)).map(({ id }) => id);
}
