/** The SQL of links: writing new ones. */

import { targetEntry } from "#lib/links/link-cache";
import { insertSearch } from "#lib/links/search";
import { type Change, recordChanges } from "#lib/platform/cache-sync";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { takeQuota } from "#lib/tenancy/quotas";
import { claimKeys, dropNames } from "./claims.ts";
import { claimRepeats, forgetRepeats } from "./repeats.ts";
import {
  columnsJson,
  columnsUsed,
  type Draft,
  type LinkRow,
  recordsOf,
  type Written,
} from "./row.ts";

const plainText = `
  INSERT INTO link
    (pk, id, workspace_pk, domain_pk, user_pk, api_key_pk, key, url, created_at, updated_at)
  SELECT pk, id, workspace_pk, domain_pk, user_pk, api_key_pk, key, url, created_at, created_at
  FROM unnest(
    $1::bigint[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[],
    $9::timestamptz[]
  ) AS new (pk, id, workspace_pk, domain_pk, user_pk, api_key_pk, key, url, created_at)
  ON CONFLICT (pk) DO NOTHING
  RETURNING pk`;

/** Writes plain links in one statement. Returns the pks that are now these links; the others were taken. */
export async function insertPlain(rows: readonly LinkRow[]): Promise<Set<number>> {
  const inserted = await query<{ pk: number }>({
    name: "links-insert-plain",
    text: plainText,
    values: [
      rows.map((row) => row.pk),
      rows.map((row) => row.id),
      rows.map((row) => row.workspace_pk),
      rows.map((row) => row.domain_pk),
      rows.map((row) => row.user_pk),
      rows.map((row) => row.api_key_pk),
      rows.map((row) => row.key),
      rows.map((row) => row.url),
      rows.map((row) => row.created_at),
    ],
  });
  const kept = new Set(inserted.map(({ pk }) => pk));
  if (kept.size < rows.length) {
    for (const pk of await findOwn(rows.filter(({ pk }) => !kept.has(pk)))) kept.add(pk);
  }
  return kept;
}

/** Those of the rows that are there already as themselves: a batch whose answer was lost had been committed. */
async function findOwn(
  rows: readonly Pick<LinkRow, "pk" | "id">[],
  on?: Connection,
): Promise<number[]> {
  const found = await query<{ pk: number }>(
    // Answered by link_pkey.
    sql`
      SELECT link.pk
      FROM unnest(
        ${rows.map((row) => row.pk)}::bigint[],
        ${rows.map((row) => row.id)}::uuid[]
      ) AS own (pk, id)
      JOIN link ON link.pk = own.pk AND link.id = own.id`,
    on,
  );
  return found.map(({ pk }) => pk);
}

/** True when the one unique column that people choose besides the key is taken. */
export function isExternalIdTaken(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "link_external";
}

/** pks that cannot be used; the transaction that met them was rolled back as a whole. */
export class RefusedPks extends Error {
  readonly pks: ReadonlySet<number>;

  constructor(pks: ReadonlySet<number>) {
    super("Some pks were taken");
    this.pks = pks;
  }
}

/** Writes links of any kind in a transaction; one outcome for each, in their order. Throws RefusedPks. */
export async function insertFull(
  tx: Connection,
  drafts: readonly Draft[],
  revision: number,
): Promise<Written[]> {
  const repeated = await claimRepeats(tx, drafts);
  const fresh = drafts.filter((draft) => !repeated.has(draft));
  const takenIds = await findTakenExternalIds(tx, fresh);
  const withOwnId = fresh.filter(({ row }) => !takenIds.has(row.pk));
  const takenKeys = await claimKeys(
    tx,
    withOwnId.map(({ row }) => row).filter((row) => row.alias),
  );
  const unique = withOwnId.filter(({ row }) => !takenKeys.has(row.pk));
  const overQuota = await takeQuotas(tx, unique);
  const free = unique.filter((draft) => !overQuota.has(draft));
  for (const { row } of free) row.revision = revision;
  await insertRows(tx, free);
  await recordChanges(tx, aliasChanges(free));
  const written = new Set(free);
  await forgetRepeats(
    tx,
    fresh.filter((draft) => !written.has(draft)),
  );
  return drafts.map((draft) => {
    const settled = repeated.get(draft) ?? overQuota.get(draft);
    if (settled) return settled;
    if (takenIds.has(draft.row.pk)) return { ok: false, code: "external_id_taken" };
    if (takenKeys.has(draft.row.pk)) return { ok: false, code: "key_taken" };
    return { ok: true, row: draft.row, isNew: true };
  });
}

/** Counts drafts of workspaces whose plan has a limit. Those beyond it give up the names that they claimed. */
async function takeQuotas(tx: Connection, drafts: readonly Draft[]): Promise<Map<Draft, Written>> {
  const refused = new Map<Draft, Written>();
  const limited = drafts.filter(({ limitedScope }) => limitedScope !== undefined);
  // In the order of the workspaces, so that two batches never wait for each other in a circle.
  const workspaces = [...new Set(limited.map(({ row }) => row.workspace_pk))].sort((a, b) => a - b);
  for (const pk of workspaces) {
    const ofOne = limited.filter(({ row }) => row.workspace_pk === pk);
    for (const [draft, message] of await takeQuotaOf(tx, ofOne)) {
      refused.set(draft, { ok: false, code: "quota_used_up", message });
    }
  }
  const names = [...refused.keys()].map(({ row }) => row);
  if (names.length > 0) await dropNames(tx, names);
  return refused;
}

/** Takes all at once or, when that is too much, one after the other. Returns those for which nothing was left. */
async function takeQuotaOf(tx: Connection, drafts: readonly Draft[]): Promise<[Draft, string][]> {
  const scope = drafts[0]?.limitedScope;
  if (!scope || (await takeQuota(tx, scope, "links", drafts.length)).ok) return [];
  for (const [at] of drafts.entries()) {
    const taken = await takeQuota(tx, scope, "links", 1);
    if (!taken.ok) return drafts.slice(at).map((draft) => [draft, taken.message]);
  }
  return [];
}

/** What caches must hear of: nobody can have asked for a code before it was given out, but for a name they can. */
export function aliasChanges(drafts: readonly Draft[]): Change[] {
  return drafts
    .filter(({ row }) => row.alias)
    .map(({ row }) => ({ entry: targetEntry(row.domain_pk, row.key), revision: row.revision }));
}

/** The pks of drafts whose externalId another link has, or another draft before them. */
async function findTakenExternalIds(
  tx: Connection,
  drafts: readonly Draft[],
): Promise<Set<number>> {
  const named = drafts.map(({ row }) => row).filter((row) => row.external_id !== null);
  if (named.length === 0) return new Set();
  const found = await query<{ pk: number }>(
    // Answered by link_external.
    sql`
      SELECT own.pk
      FROM unnest(
        ${named.map((row) => row.pk)}::bigint[],
        ${named.map((row) => row.workspace_pk)}::int[],
        ${named.map((row) => row.external_id)}::text[]
      ) AS own (pk, workspace_pk, external_id)
      JOIN link
        ON link.workspace_pk = own.workspace_pk
        AND link.external_id = own.external_id
      WHERE link.pk <> own.pk`,
    tx,
  );
  const taken = new Set(found.map(({ pk }) => pk));
  const seen = new Set<string>();
  for (const row of named) {
    const name = `${row.workspace_pk} ${row.external_id}`;
    if (seen.has(name)) taken.add(row.pk);
    seen.add(name);
  }
  return taken;
}

async function insertRows(tx: Connection, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return;
  const rows = drafts.map(({ row }) => row);
  const columns = columnsUsed(rows);
  const inserted = await query<{ pk: number }>(
    {
      text: `
        INSERT INTO link (${columns.join(", ")})
        SELECT ${columns.join(", ")}
        FROM ${recordsOf("$1", columns)}
        ON CONFLICT (pk) DO NOTHING
        RETURNING pk`,
      values: [columnsJson(rows, columns)],
    },
    tx,
  );
  const kept = new Set(inserted.map(({ pk }) => pk));
  const missing = rows.filter(({ pk }) => !kept.has(pk));
  if (missing.length > 0) {
    for (const pk of await findOwn(missing, tx)) kept.add(pk);
    const refused = missing.filter(({ pk }) => !kept.has(pk));
    if (refused.length > 0) throw new RefusedPks(new Set(refused.map(({ pk }) => pk)));
  }
  await insertTags(tx, drafts);
  await insertSearch(tx, drafts);
}

async function insertTags(tx: Connection, drafts: readonly Draft[]): Promise<void> {
  const pairs = drafts.flatMap(({ row, tagPks }) => tagPks.map((tagPk) => [row.pk, tagPk]));
  if (pairs.length === 0) return;
  await query(
    sql`
      INSERT INTO link_tag (link_pk, tag_pk)
      SELECT *
      FROM unnest(${pairs.map(([pk]) => pk)}::bigint[], ${pairs.map(([, tag]) => tag)}::int[])
      ON CONFLICT DO NOTHING`,
    tx,
  );
}
