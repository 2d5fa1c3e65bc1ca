/**
 * Deletion in the dashboard, with undo for some minutes. The row of a deleted link is stored for the person who deleted it, and
 * its stats are erased later than usual. A restored link claims its name like a chosen name, so that the primary key of `alias`
 * settles the race with a new link.
 *
 *     link ──delete──▶ deleted_link ──restore──▶ link        up to restoreMinutes
 *                      deleted_link ──sweep────▶ nothing     afterwards
 *                      stats        ──erased───▶ nothing     after eraseAfterMinutes
 */
import { z } from "zod";
import { parseId, presentId } from "#lib/basics/ids";
import {
  externalIdTaken,
  type LinkFailure,
  type LinkFailureCode,
  linkFailure,
} from "#lib/links/fields";
import { groupLinksMax } from "#lib/links/fields/schema";
import { type Domain, findDomain, listDomains } from "#lib/links/hosts";
import { parseKey } from "#lib/links/keys";
import { encodeTarget, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { linkColumns } from "#lib/links/link-columns/schema";
import { claimNames, isExternalIdTaken, type LinkRow, restoreDeleted } from "#lib/links/link-rows";
import { findByExternalIds, recordLinkEvents } from "#lib/links/presenting";
import { restoreTexts } from "#lib/links/search";
import { isKeyLink } from "#lib/links/search/schema";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { deleteRows } from "./delete.ts";
import { accessOf, type LinkAccess } from "./edit.ts";
import { restoreMinutes } from "./schema.ts";

const eraseAfterMinutes = 15;
const triesMax = 3;
const sweepEveryMs = 600_000;

/** Returns the ids of deleted links. `record` runs in the same transaction. */
export async function deleteLinksWithUndo(
  scope: WorkspaceScope,
  ids: readonly string[],
  record?: (tx: Connection, ids: string[]) => Promise<void>,
): Promise<string[]> {
  assertMay(scope, "links.write");
  const idsOf = (uuids: string[]) => uuids.map((uuid) => presentId("link", uuid));
  const deletion = await deleteRows(scope, uuidsOf(ids), {
    eraseAfterMinutes,
    archive: (tx, pks) => archiveDeleted(tx, scope, pks),
    record: async (tx, deleted) => record?.(tx, idsOf(deleted)),
  });
  await publishChanges(deletion.published);
  return idsOf(deletion.ids);
}

function uuidsOf(ids: readonly string[]): string[] {
  if (ids.length > groupLinksMax) {
    throw new AppError("unprocessable_entity", `Select at most ${groupLinksMax} links.`);
  }
  return ids.flatMap((id) => parseId("link", id) ?? []);
}

export type RestoreOutcome =
  | { id: string; ok: true }
  | { id: string; ok: false; code: LinkFailureCode | "gone"; message: string };

/** Restores links that the actor deleted minutes ago. Returns one outcome each, in order. */
export async function restoreLinks(
  scope: WorkspaceScope,
  ids: readonly string[],
  record?: (tx: Connection, outcomes: RestoreOutcome[]) => Promise<void>,
): Promise<RestoreOutcome[]> {
  assertMay(scope, "links.write");
  const uuids = uuidsOf(ids);
  const [access, domains, shortener] = await Promise.all([
    accessOf(scope),
    listDomains(scope),
    // Not in the list, because it takes no new links.
    findDomain(scope, config().FUXI_PUBLIC_SHORTENER),
  ]);
  const known = shortener ? [...domains, shortener] : domains;
  const domainOf = new Map(known.map((domain) => [domain.pk, domain]));
  const { all, published, rows } = await retryTakenId(() =>
    transaction(async (tx) => {
      const { outcomes, ...restored } = await restoreRows(tx, scope, uuids, access, domainOf);
      const all = ids.map((id) => outcomes.get(id) ?? { id, ...notRestorable(id) });
      await record?.(tx, all);
      return { all, ...restored };
    }),
  );
  const values = rows.map(
    (row) => [targetEntry(row.domain_pk, row.key), encodeTarget(targetOfColumns(row))] as const,
  );
  await publishChanges(published, new Map(values));
  return all;
}

/** If a concurrent change took an externalId, the next attempt refuses that link. */
async function retryTakenId<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= triesMax || !isExternalIdTaken(error)) throw error;
    }
  }
}

function notRestorable(id: string) {
  const message = `Link "${id}" can’t be restored. You can only restore links that you deleted in the last ${restoreMinutes} minutes.`;
  return { ok: false, code: "gone", message } as const;
}

interface RestoreResult {
  outcomes: Map<string, RestoreOutcome>;
  published: CacheChange[];
  rows: LinkRow[];
}

async function restoreRows(
  tx: Connection,
  scope: WorkspaceScope,
  uuids: readonly string[],
  access: LinkAccess,
  domains: ReadonlyMap<number, Domain>,
): Promise<RestoreResult> {
  const restorable = access.visible(await lockRestorable(tx, scope, uuids, restoreMinutes));
  const outcomes = new Map<string, RestoreOutcome>();
  const settle = (row: RestorableLink, failure: LinkFailure | undefined): boolean => {
    const id = presentId("link", row.id);
    outcomes.set(id, failure ? { ...failure, id } : { id, ok: true });
    return failure === undefined;
  };
  const allowed = restorable.filter((row) =>
    settle(row, access.failureOf(row) ?? findInvalidName(row, domains.get(row.domain_pk))),
  );
  const taken = await findTakenIds(scope.workspacePk, allowed);
  const unique = allowed.filter((row) => settle(row, findTakenId(row, taken)));
  const lost = await claimNames(tx, unique);
  const free = unique.filter((row) => settle(row, lost.has(row.pk) ? nameTaken(row) : undefined));
  const published = await restoreNamed(tx, scope, free);
  return { outcomes, published, rows: free };
}

function findInvalidName(row: RestorableLink, domain: Domain | undefined): LinkFailure | undefined {
  if (!domain) {
    return linkFailure("domain_unknown", "The domain of this link is no longer in this workspace.");
  }
  const parsed = parseKey(row.key, domain);
  if (parsed.ok && parsed.key === row.key) return undefined;
  return linkFailure("key_invalid", `key: "${row.key}" is no longer allowed on ${domain.slug}.`);
}

async function findTakenIds(workspacePk: number, rows: readonly RestorableLink[]) {
  const ids = rows.flatMap((row) => row.external_id ?? []);
  const found = ids.length > 0 ? await findByExternalIds(workspacePk, ids) : [];
  return new Set(found.map(({ external_id }) => external_id));
}

function findTakenId({ external_id }: RestorableLink, taken: ReadonlySet<string>) {
  if (external_id === null || !taken.has(external_id)) return undefined;
  return linkFailure("external_id_taken", externalIdTaken(external_id));
}

function nameTaken({ key }: RestorableLink): LinkFailure {
  return linkFailure("key_taken", `key: "${key}" was taken in the meantime.`);
}

async function restoreNamed(
  tx: Connection,
  { workspacePk, actor }: WorkspaceScope,
  rows: readonly RestorableLink[],
): Promise<CacheChange[]> {
  if (rows.length === 0) return [];
  const revision = await takeRevision(tx);
  await restoreDeleted(tx, rows, revision);
  await removeRestored(tx, rows);
  // Add the texts here, because links/indexing does not return to ids that it has passed.
  await restoreTexts(
    tx,
    rows.filter((row) => row.searched || isKeyLink(row)),
  );
  const published = rows.map((row) => ({ entry: targetEntry(row.domain_pk, row.key), revision }));
  await recordChanges(tx, published);
  const pks = rows.map(({ pk }) => pk);
  await recordLinkEvents(tx, workspacePk, "link.created", pks);
  const action = "link.restore";
  const subjects = rows.map(({ id }) => presentId("link", id));
  const entries = subjects.map((subject) => ({ workspacePk, actor, action, subject }) as const);
  await recordAudit(tx, entries);
  return published;
}

export const forgetDeletedJob = defineJob({
  name: "links.forget",
  schema: z.object({}),
  everyMs: sweepEveryMs,
  handle: () => deleteExpired(restoreMinutes),
});

interface RestorableLink extends LinkRow {
  tag_pks: number[];
  searched: boolean;
}

async function archiveDeleted(
  tx: Connection,
  { workspacePk, actor }: { workspacePk: number; actor: string },
  pks: readonly number[],
): Promise<void> {
  // Answered by link_pkey, link_tag_pkey, link_allowance_pkey and link_search_pkey.
  await tx.query(sql`
    WITH gone AS MATERIALIZED (
      SELECT link.pk, link.id, to_jsonb(link) AS link
      FROM link
      WHERE link.pk = ANY(${pks}::bigint[])
        AND link.workspace_pk = ${workspacePk}
    ), tagged AS MATERIALIZED (
      SELECT link_pk, array_agg(tag_pk) AS tag_pks
      FROM link_tag
      WHERE link_pk = ANY(${pks}::bigint[])
      GROUP BY link_pk
    ), limited AS MATERIALIZED (
      SELECT link_pk, to_jsonb(link_allowance) AS allowance
      FROM link_allowance
      WHERE link_pk = ANY(${pks}::bigint[])
    )
    INSERT INTO deleted_link (
      link_pk, workspace_pk, link_id, actor, link, tag_pks, searched, allowance
    )
    SELECT gone.pk, ${workspacePk}, gone.id, ${actor}, gone.link,
      coalesce(tagged.tag_pks, '{}'),
      EXISTS (SELECT 1 FROM link_search WHERE link_search.link_pk = gone.pk),
      limited.allowance
    FROM gone
    LEFT JOIN tagged ON tagged.link_pk = gone.pk
    LEFT JOIN limited ON limited.link_pk = gone.pk`);
}

/** Locks an actor’s recently deleted links, so that no link is restored twice. */
function lockRestorable(
  tx: Connection,
  { workspacePk, actor }: { workspacePk: number; actor: string },
  ids: readonly string[],
  minutes: number,
): Promise<RestorableLink[]> {
  return tx.query<RestorableLink>({
    // Answered by deleted_link_workspace_pk_link_id_idx.
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
    values: [workspacePk, ids, actor, minutes],
  });
}

async function deleteExpired(minutes: number): Promise<void> {
  // Answered by deleted_link_deleted_at_idx.
  await query(sql`
    DELETE FROM deleted_link
    WHERE deleted_at < now() - ${minutes} * interval '1 minute'`);
}

async function removeRestored(tx: Connection, rows: readonly RestorableLink[]) {
  const pks = rows.map(({ pk }) => pk);
  await tx.query(sql`DELETE FROM deleted_link WHERE link_pk = ANY(${pks}::bigint[])`);
}
