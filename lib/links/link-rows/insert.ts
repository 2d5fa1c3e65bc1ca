/**
 * If a row has the pk of another link, it is refused. If a row with the same id exists, it is
 * accepted: the batch was committed before, and its answer was lost.
 */
import { addDestinations } from "#lib/destinations/reputation";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { claimExternalIds } from "./apart.ts";
import { columnsJson, columnsUsed, type LinkRow, recordsOf } from "./row.ts";

export const pkTriesMax = 5;

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

/** Inserts links with only a code and a URL. `renew` gives another pk to a refused row. */
export async function insertPlainRows(
  rows: readonly LinkRow[],
  renew: (row: LinkRow) => Promise<void>,
): Promise<void> {
  let left = rows;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === pkTriesMax) throw new Error(`No free pk in ${pkTriesMax} tries`);
    const refused = await insertPlainOnce(left);
    left = left.filter(({ pk }) => refused.has(pk));
    for (const row of left) await renew(row);
  }
}

async function insertPlainOnce(rows: readonly LinkRow[]): Promise<Set<number>> {
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
  return await findRefused(rows, inserted);
}

/** Returns the refused pks. If there are any, no tags are written. */
export async function insertRows(
  tx: Connection,
  links: readonly { row: LinkRow; tagPks: readonly number[] }[],
): Promise<Set<number>> {
  const rows = links.map(({ row }) => row);
  await claimExternalIds(tx, rows);
  const columns = columnsUsed(rows);
  const inserted = await tx.query<{ pk: number }>({
    text: `
      INSERT INTO link (${columns.join(", ")})
      SELECT ${columns.join(", ")}
      FROM ${recordsOf("$1", columns)}
      ON CONFLICT (pk) DO NOTHING
      RETURNING pk`,
    values: [columnsJson(rows, columns)],
  });
  const refused = await findRefused(rows, inserted, tx);
  if (refused.size > 0) return refused;
  await insertTags(tx, links);
  await addDestinations(tx, rows);
  return refused;
}

export function isExternalIdTaken(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "link_external";
}

async function findRefused(
  rows: readonly LinkRow[],
  inserted: readonly { pk: number }[],
  on?: Connection,
): Promise<Set<number>> {
  const refused = new Set<number>();
  if (inserted.length === rows.length) return refused;
  const kept = new Set(inserted.map(({ pk }) => pk));
  const missing = rows.filter(({ pk }) => !kept.has(pk));
  const own = new Set(await findOwn(missing, on));
  for (const { pk } of missing) if (!own.has(pk)) refused.add(pk);
  return refused;
}

/** The rows that exist with the same id: their batch was committed, and its answer was lost. */
async function findOwn(rows: readonly Pick<LinkRow, "pk" | "id">[], on?: Connection) {
  // Answered by link_pkey.
  const found = await query.on(on).query<{ pk: number }>(sql`
    SELECT link.pk
    FROM unnest(
      ${rows.map((row) => row.pk)}::bigint[],
      ${rows.map((row) => row.id)}::uuid[]
    ) AS own (pk, id)
    JOIN link ON link.pk = own.pk AND link.id = own.id`);
  return found.map(({ pk }) => pk);
}

async function insertTags(
  tx: Connection,
  links: readonly { row: LinkRow; tagPks: readonly number[] }[],
): Promise<void> {
  const pairs = links.flatMap(({ row, tagPks }) => tagPks.map((tagPk) => [row.pk, tagPk]));
  if (pairs.length === 0) return;
  await tx.query(sql`
    INSERT INTO link_tag (link_pk, tag_pk)
    SELECT *
    FROM unnest(${pairs.map(([pk]) => pk)}::bigint[], ${pairs.map(([, tag]) => tag)}::int[])
    ON CONFLICT DO NOTHING`);
}

export async function findOrigins(
  workspacePk: number,
  named: readonly string[],
  tx?: Connection,
): Promise<Set<string>> {
  if (named.length === 0) return new Set();
  // Answered by link_origin.
  const found = await query.on(tx).query<{ name: string }>(sql`
    SELECT DISTINCT origin ->> 'shortLink' AS name
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND origin ->> 'shortLink' = ANY(${named}::text[])`);
  return new Set(found.map(({ name }) => name));
}

/** Like `findOrigins`, but other imports of the workspace wait until the commit. */
export async function lockOrigins(
  tx: Connection,
  workspacePk: number,
  named: readonly string[],
): Promise<Set<string>> {
  if (named.length === 0) return new Set();
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('link_origins'), ${workspacePk}::int)`);
  return await findOrigins(workspacePk, named, tx);
}

export function alreadyImported(link: string): string {
  return `origin.shortLink: This workspace already has the link that used to be ${link}.`;
}
