/** The SQL of links: writing new ones. */
import { recordChanges, takeRevision } from "#lib/coherence";
import { type Connection, query, sql, transaction } from "#lib/postgres";
import { targetEntry } from "#lib/targets";
import { claimKeys } from "./claims.ts";
import { columnsJson, type Draft, type LinkRow, linkColumns } from "./row.ts";

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

export interface FullResult {
  revision: number;
  /** pks of drafts whose key somebody else has. */
  taken: Set<number>;
  /** pks that cannot be used; when there are any, nothing was written. */
  refusedPks: Set<number>;
}

class RefusedPks extends Error {
  readonly pks: Set<number>;

  constructor(pks: Set<number>) {
    super("Some pks were taken");
    this.pks = pks;
  }
}

/** Writes links of any kind in one transaction. */
export async function insertFull(drafts: readonly Draft[]): Promise<FullResult> {
  try {
    return await transaction(async (tx) => {
      const revision = await takeRevision(tx);
      const rows = drafts.map(({ row }) => row);
      const taken = await claimKeys(
        tx,
        rows.filter((row) => row.alias),
      );
      const free = drafts.filter(({ row }) => !taken.has(row.pk));
      await insertRows(tx, free, revision);
      const changes = free
        .filter(({ row }) => row.alias)
        .map(({ row }) => ({ entry: targetEntry(row.domain_pk, row.key), revision }));
      await recordChanges(tx, changes);
      return { revision, taken, refusedPks: new Set<number>() };
    });
  } catch (error) {
    if (!(error instanceof RefusedPks)) throw error;
    return { revision: 0, taken: new Set(), refusedPks: error.pks };
  }
}

async function insertRows(tx: Connection, drafts: readonly Draft[], revision: number) {
  const rows = drafts.map(({ row }) => ({ ...row, revision }));
  const inserted = await query<{ pk: number }>(
    {
      text: `
        INSERT INTO link (${linkColumns.join(", ")})
        SELECT ${linkColumns.join(", ")}
        FROM jsonb_populate_recordset(NULL::link, $1::jsonb)
        ON CONFLICT (pk) DO NOTHING
        RETURNING pk`,
      values: [columnsJson(rows)],
    },
    tx,
  );
  const kept = new Set(inserted.map(({ pk }) => pk));
  const missing = drafts.map(({ row }) => row).filter(({ pk }) => !kept.has(pk));
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

async function insertSearch(tx: Connection, drafts: readonly Draft[]): Promise<void> {
  const searched = drafts.filter(({ search }) => search !== undefined);
  if (searched.length === 0) return;
  await query(
    sql`
      INSERT INTO link_search (link_pk, workspace_pk, text)
      SELECT *
      FROM unnest(
        ${searched.map(({ row }) => row.pk)}::bigint[],
        ${searched.map(({ row }) => row.workspace_pk)}::int[],
        ${searched.map(({ search }) => search)}::text[]
      )
      ON CONFLICT (link_pk) DO NOTHING`,
    tx,
  );
}
