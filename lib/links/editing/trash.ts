/**
 * Deleting in the dashboard, which can be taken back for some minutes.
 *
 * The link is deleted at once: visitors meet a 404, its name is free for others. What it was is kept aside for whoever
 * deleted it, and its statistics are erased later than usual. Coming back it claims its name as one that somebody
 * chose, a generated code too, so the primary key of `alias` settles the race with whoever takes that name meanwhile.
 *
 *   link ──delete──▶ deleted_link ──restore──▶ link        up to restoreMinutes
 *                    deleted_link ──sweep────▶ nothing     then
 *                    statistics   ──erased───▶ nothing     after 15 minutes (note_deleted_links)
 */

import { z } from "zod";
import {
  externalIdTaken,
  parseKey,
  type Refusal,
  type RefusalCode,
  refuse,
  searchText,
} from "#lib/links/fields";
import { groupLinksMax } from "#lib/links/fields/schema";
import { type Domain, listDomains } from "#lib/links/hosts";
import { encodeTarget, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { findByExternalIds } from "#lib/links/reading";
import { insertSearch } from "#lib/links/search";
import { claimKeys, isExternalIdTaken, type LinkRow, linkColumns } from "#lib/links/writing";
import { type Change, publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { parseId, presentId } from "#lib/platform/ids";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordDeeds } from "#lib/tenancy/audit";
import { type Access, accessOf, deleteRows } from "./edit.ts";

/** Sooner than statistics are erased by more than any transaction may last. */
const restoreMinutes = 10;
const triesMax = 3;
const sweepEveryMs = 600_000;

/** Deletes links so that whoever did it can have them back. Returns the ids of those that there were. */
export async function discardLinks(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<string[]> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const deletion = await deleteRows(scope, uuidsOf(ids), (tx, pks) =>
    keepAside(tx, workspacePk, actor, pks),
  );
  await publishChanges(deletion.published);
  return deletion.ids.map((id) => presentId("link", id));
}

function uuidsOf(ids: readonly string[]): string[] {
  if (ids.length > groupLinksMax) {
    throw new AppError("unprocessable_entity", `Name at most ${groupLinksMax} links.`);
  }
  return ids.flatMap((id) => parseId("link", id) ?? []);
}

async function keepAside(
  tx: Connection,
  workspacePk: number,
  actor: string,
  pks: readonly number[],
): Promise<void> {
  // Answered by link_pkey, link_tag_pkey, link_search_pkey and link_allowance_pkey.
  await query(
    sql`
      INSERT INTO deleted_link (
        link_pk, workspace_pk, link_id, actor, link, tag_pks, searched, allowance
      )
      SELECT
        link.pk,
        link.workspace_pk,
        link.id,
        ${actor},
        to_jsonb(link),
        ARRAY(SELECT tag_pk FROM link_tag WHERE link_tag.link_pk = link.pk),
        EXISTS (SELECT FROM link_search WHERE link_search.link_pk = link.pk),
        (SELECT to_jsonb(link_allowance) FROM link_allowance WHERE link_allowance.link_pk = link.pk)
      FROM link
      WHERE link.pk = ANY(${pks}::bigint[])
        AND link.workspace_pk = ${workspacePk}`,
    tx,
  );
}

export type RestoreOutcome =
  | { id: string; ok: true }
  | { id: string; ok: false; code: RefusalCode | "gone"; message: string };

interface Kept extends LinkRow {
  tag_pks: number[];
  searched: boolean;
}

/** Makes links again that the actor deleted minutes ago, each as it was; one outcome for each, in their order. */
export async function restoreLinks(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<RestoreOutcome[]> {
  assertMay(scope, "links.write");
  const uuids = uuidsOf(ids);
  const [access, domains] = await Promise.all([accessOf(scope), listDomains(scope)]);
  const domainOf = new Map(domains.map((domain) => [domain.pk, domain]));
  const { outcomes, published, rows } = await tryAgain(() =>
    transaction((tx) => restoreRows(tx, scope, uuids, access, domainOf)),
  );
  const values = rows.map(
    (row) => [targetEntry(row.domain_pk, row.key), encodeTarget(targetOfColumns(row))] as const,
  );
  await publishChanges(published, new Map(values));
  return ids.map((id) => outcomes.get(id) ?? { id, ...gone(id) });
}

/** Somebody took an externalId at the same moment; the next time it is seen before. */
async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= triesMax || !isExternalIdTaken(error)) throw error;
    }
  }
}

function gone(id: string) {
  const message = `The link "${id}" is not among those that you deleted in the last ${restoreMinutes} minutes.`;
  return { ok: false, code: "gone", message } as const;
}

interface Restored {
  outcomes: Map<string, RestoreOutcome>;
  published: Change[];
  rows: LinkRow[];
}

async function restoreRows(
  tx: Connection,
  scope: WorkspaceScope,
  uuids: readonly string[],
  access: Access,
  domains: ReadonlyMap<number, Domain>,
): Promise<Restored> {
  const kept = access.visible(await lockKept(tx, scope, uuids));
  const outcomes = new Map<string, RestoreOutcome>();
  const settle = (row: Kept, refusal: Refusal | undefined): boolean => {
    const id = presentId("link", row.id);
    outcomes.set(id, refusal ? { ...refusal, id } : { id, ok: true });
    return refusal === undefined;
  };
  const allowed = kept.filter((row) =>
    settle(row, access.refusal(row) ?? findMisnamed(row, domains.get(row.domain_pk))),
  );
  const taken = await findTakenIds(scope.workspacePk, allowed);
  const unique = allowed.filter((row) => settle(row, findTakenId(row, taken)));
  const lost = await claimKeys(tx, unique);
  const free = unique.filter((row) => settle(row, lost.has(row.pk) ? nameTaken(row) : undefined));
  const published = await insertKept(tx, scope, free);
  return { outcomes, published, rows: free };
}

/**
 * Locks what was kept of these links, so that nobody restores one twice. Answered by
 * deleted_link_workspace_pk_link_id_idx.
 */
function lockKept(
  tx: Connection,
  { workspacePk, actor }: WorkspaceScope,
  uuids: readonly string[],
): Promise<Kept[]> {
  return query<Kept>(
    {
      text: `
        SELECT ${linkColumns.map((column) => `link.${column}`).join(", ")},
          deleted_link.tag_pks, deleted_link.searched
        FROM deleted_link
        CROSS JOIN LATERAL jsonb_populate_record(NULL::link, deleted_link.link) AS link
        WHERE deleted_link.workspace_pk = $1
          AND deleted_link.link_id = ANY($2::uuid[])
          AND deleted_link.actor = $3
          AND deleted_link.deleted_at > clock_timestamp() - $4 * interval '1 minute'
        ORDER BY deleted_link.link_pk
        FOR UPDATE OF deleted_link`,
      values: [workspacePk, uuids, actor, restoreMinutes],
    },
    tx,
  );
}

/** Why the name cannot be one on its domain any more. */
function findMisnamed(row: Kept, domain: Domain | undefined): Refusal | undefined {
  if (!domain) {
    return refuse("domain_unknown", "The domain of this link no longer belongs to the workspace.");
  }
  const parsed = parseKey(row.key, domain);
  if (parsed.ok && parsed.key === row.key) return undefined;
  return refuse("key_invalid", `The key "${row.key}" can no longer be one on ${domain.slug}.`);
}

async function findTakenIds(workspacePk: number, rows: readonly Kept[]): Promise<Set<string>> {
  const ids = rows.flatMap((row) => row.external_id ?? []);
  const found = ids.length > 0 ? await findByExternalIds(workspacePk, ids) : [];
  return new Set(found.map(({ external_id }) => external_id));
}

function findTakenId({ external_id }: Kept, taken: ReadonlySet<string>): Refusal | undefined {
  if (external_id === null || !taken.has(external_id)) return undefined;
  return refuse("external_id_taken", externalIdTaken(external_id));
}

function nameTaken({ key }: Kept): Refusal {
  return refuse("key_taken", `Somebody took the key "${key}" meanwhile.`);
}

/** Writes the links again, and all that hung on them. Their names are theirs already. */
async function insertKept(
  tx: Connection,
  { workspacePk, actor }: WorkspaceScope,
  rows: readonly Kept[],
): Promise<Change[]> {
  if (rows.length === 0) return [];
  const pks = rows.map(({ pk }) => pk);
  const revision = await takeRevision(tx);
  for (const row of rows) Object.assign(row, { revision, alias: true });
  // A name that spells a code has reserved the pk of that code, which is the link's own if it is a generated one.
  await query(sql`DELETE FROM link WHERE pk = ANY(${pks}::bigint[]) AND workspace_pk IS NULL`, tx);
  await insertRows(tx, pks, revision);
  const searched = rows.filter((row) => row.searched);
  await insertSearch(
    tx,
    searched.map((row) => ({ row, search: searchText(row) })),
  );
  // Answered by erasure_link. Nothing was erased yet: that begins later than anything can be restored.
  await query(
    sql`DELETE FROM analytics.erasure WHERE link_pk = ANY(${pks}::bigint[]) AND rounds = 0`,
    tx,
  );
  await query(sql`DELETE FROM deleted_link WHERE link_pk = ANY(${pks}::bigint[])`, tx);
  const published = rows.map((row) => ({ entry: targetEntry(row.domain_pk, row.key), revision }));
  await recordChanges(tx, published);
  await recordDeeds(
    tx,
    rows.map((row) => ({
      workspacePk,
      actor,
      action: "link.restore",
      subject: presentId("link", row.id),
    })),
  );
  return published;
}

/** Each answered by deleted_link_pkey. A folder or a tag that is gone meanwhile is left out. */
async function insertRows(tx: Connection, pks: readonly number[], revision: number): Promise<void> {
  await query(
    sql`
      INSERT INTO link
      SELECT again.*
      FROM deleted_link
      CROSS JOIN LATERAL jsonb_populate_record(
        NULL::link,
        deleted_link.link || jsonb_build_object(
          'alias', true,
          'revision', ${revision}::bigint,
          'updated_at', now(),
          'folder_pk', (
            SELECT pk
            FROM folder
            WHERE folder.pk = (deleted_link.link ->> 'folder_pk')::int
          )
        )
      ) AS again
      WHERE deleted_link.link_pk = ANY(${pks}::bigint[])`,
    tx,
  );
  await query(
    sql`
      INSERT INTO link_tag (link_pk, tag_pk)
      SELECT deleted_link.link_pk, tag.pk
      FROM deleted_link
      JOIN tag ON tag.pk = ANY(deleted_link.tag_pks)
      WHERE deleted_link.link_pk = ANY(${pks}::bigint[])
      ORDER BY tag.pk
      FOR KEY SHARE OF tag`,
    tx,
  );
  await query(
    sql`
      INSERT INTO link_allowance
      SELECT allowance.*
      FROM deleted_link
      CROSS JOIN LATERAL jsonb_populate_record(NULL::link_allowance, deleted_link.allowance)
        AS allowance
      WHERE deleted_link.link_pk = ANY(${pks}::bigint[])
        AND deleted_link.allowance IS NOT NULL`,
    tx,
  );
}

/** Forgets what can no longer be restored. Answered by deleted_link_deleted_at_idx. */
export async function sweepDeleted(): Promise<void> {
  await query(
    sql`
      DELETE FROM deleted_link
      WHERE deleted_at < now() - ${restoreMinutes} * interval '1 minute'`,
  );
}

export const forgetDeletedJob = defineJob({
  name: "links.forget",
  schema: z.object({}),
  everyMs: sweepEveryMs,
  handle: sweepDeleted,
});
