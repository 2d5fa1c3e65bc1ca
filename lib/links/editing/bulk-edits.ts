import { setImmediate } from "node:timers/promises";
import { parseId } from "#lib/basics/ids";
import { type LinkFailureCode, loadLookups } from "#lib/links/fields";
import type { EditLink } from "#lib/links/fields/schema";
import {
  addContext,
  findByExternalIds,
  type LinkWithContext,
  missingLink,
} from "#lib/links/presenting";
import { slicesOf } from "#lib/platform/batches";
import { publishChanges } from "#lib/platform/cache-sync";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { deleteRows } from "./delete.ts";
import { publishEdits, updateRows } from "./edit.ts";

const editRowsMax = 1_000;

/** Maps the uuids of links to the names that the caller used, and lists the unknown names. */
async function namesOf(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  externalIds: readonly string[],
): Promise<{ byId: Map<string, LinkReference>; unknown: LinkReference[] }> {
  const byId = new Map<string, LinkReference>();
  const unknown: LinkReference[] = [];
  for (const id of new Set(linkIds)) {
    const uuid = parseId("link", id);
    if (uuid === undefined) unknown.push({ id });
    else byId.set(uuid, { id });
  }
  for (const names of slicesOf([...new Set(externalIds)], editRowsMax)) {
    const found = await findByExternalIds(scope.workspacePk, names);
    for (const { id, external_id: externalId } of found) {
      if (!byId.has(id)) byId.set(id, { externalId });
    }
    const known = new Set(found.map((row) => row.external_id));
    const others = names.filter((name) => !known.has(name));
    unknown.push(...others.map((externalId) => ({ externalId })));
  }
  return { byId, unknown };
}

export type LinkReference = { id: string } | { externalId: string };

export interface LeftLink {
  link: LinkReference;
  code: LinkFailureCode | "link_unknown";
  message: string;
}

function unknownLink(link: LinkReference): LeftLink {
  const name = "id" in link ? link.id : link.externalId;
  return { link, code: "link_unknown", message: missingLink(name).message };
}

export interface BulkEditResult {
  shown: LinkWithContext[];
  refused: LeftLink[];
  unknown: LeftLink[];
}

export async function editLinksInBulk(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  externalIds: readonly string[],
  body: EditLink,
): Promise<BulkEditResult> {
  assertMay(scope, "links.write");
  const lookups = await loadLookups(scope, [body]);
  const { byId, unknown } = await namesOf(scope, linkIds, externalIds);
  const done: BulkEditResult = { shown: [], refused: [], unknown: unknown.map(unknownLink) };
  for (const ids of slicesOf([...byId.keys()], editRowsMax)) {
    const edits = await updateRows(scope, ids, body, lookups);
    await publishEdits(edits);
    const rows = edits.outcomes.flatMap((outcome) => (outcome.ok ? [outcome.row] : []));
    done.shown.push(...(await addContext(scope, rows)));
    for (const { id, ...outcome } of edits.outcomes) {
      const link = byId.get(id);
      byId.delete(id);
      if (link && !outcome.ok) done.refused.push({ link, ...outcome });
    }
    await setImmediate();
  }
  done.unknown.push(...[...byId.values()].map(unknownLink));
  return done;
}

export interface BulkDeletion {
  deleted: number;
  left: LeftLink[];
}

export async function deleteLinksInBulk(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  externalIds: readonly string[],
): Promise<BulkDeletion> {
  assertMay(scope, "links.write");
  const { byId, unknown } = await namesOf(scope, linkIds, externalIds);
  const left = unknown.map(unknownLink);
  let deleted = 0;
  for (const ids of slicesOf([...byId.keys()], editRowsMax)) {
    const deletion = await deleteRows(scope, ids);
    await publishChanges(deletion.published);
    deleted += deletion.ids.length;
    for (const id of deletion.ids) byId.delete(id);
    for (const { id, code, message } of deletion.kept) {
      const link = byId.get(id);
      byId.delete(id);
      if (link) left.push({ link, code, message });
    }
    await setImmediate();
  }
  return { deleted, left: [...left, ...[...byId.values()].map(unknownLink)] };
}
