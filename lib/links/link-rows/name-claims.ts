/**
 * Chosen names. `alias` has the owner of a name. A name that encodes a pk also reserves that pk
 * with a row without a workspace, so that its code is never generated.
 */
import { pkOfCode } from "#lib/platform/codes";
import { type Connection, sql } from "#lib/platform/postgres";
import { lockLinks } from "./locks.ts";
import type { LinkRow } from "./row.ts";

type NameClaim = Pick<LinkRow, "pk" | "domain_pk" | "key">;

/** Returns the pks of links that lost their name. The primary key settles races. */
export async function claimNames(tx: Connection, rows: readonly NameClaim[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const taken = await claimPks(tx, rows);
  // Sort, so that two batches cannot deadlock.
  const candidates = rows
    .filter((row) => !taken.has(row.pk))
    .sort((a, b) => a.domain_pk - b.domain_pk || (a.key < b.key ? -1 : 1));
  const won = await tx.query<{ link_pk: number }>(sql`
    INSERT INTO alias (domain_pk, key, link_pk)
    SELECT *
    FROM unnest(
      ${candidates.map((row) => row.domain_pk)}::int[],
      ${candidates.map((row) => row.key)}::text[],
      ${candidates.map((row) => row.pk)}::bigint[]
    )
    ON CONFLICT (domain_pk, key) DO NOTHING
    RETURNING link_pk`);
  const winners = new Set(won.map(({ link_pk }) => link_pk));
  const lost = candidates.filter((row) => !winners.has(row.pk));
  const own = await findOwnNames(tx, lost);
  for (const row of lost) if (!own.has(row.pk)) taken.add(row.pk);
  return taken;
}

/** Links that already have their name: their batch was committed, and its answer was lost. */
async function findOwnNames(tx: Connection, rows: readonly NameClaim[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  // Answered by alias_pkey.
  const found = await tx.query<{ link_pk: number }>(sql`
    SELECT alias.link_pk
    FROM unnest(
      ${rows.map((row) => row.domain_pk)}::int[],
      ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.pk)}::bigint[]
    ) AS own (domain_pk, key, pk)
    JOIN alias
      ON alias.domain_pk = own.domain_pk
      AND alias.key = own.key
      AND alias.link_pk = own.pk`);
  return new Set(found.map(({ link_pk }) => link_pk));
}

/** Returns the pks of rows whose name is the code of another link on their domain. */
async function claimPks(tx: Connection, rows: readonly NameClaim[]): Promise<Set<number>> {
  const spelt = rows.flatMap((row) => {
    const pk = pkOfCode(row.key);
    return pk === undefined ? [] : [{ row, pk }];
  });
  if (spelt.length === 0) return new Set();
  spelt.sort((a, b) => a.pk - b.pk);
  await tx.query(sql`
    INSERT INTO link (pk, created_at, updated_at)
    SELECT pk, NULL, NULL
    FROM unnest(${spelt.map(({ pk }) => pk)}::bigint[]) AS pk
    ON CONFLICT (pk) DO NOTHING`);
  const pks = spelt.map(({ pk }) => pk);
  const occupied = await lockOwners(tx, pks);
  const ownerOf = new Map(occupied.map((row) => [row.pk, row]));
  const losers = spelt.filter(({ row, pk }) => {
    const owner = ownerOf.get(pk);
    return owner !== undefined && owner.domain_pk === row.domain_pk && owner.key === row.key;
  });
  return new Set(losers.map(({ row }) => row.pk));
}

/** Rows that only reserve a pk are not locked, because a restored link replaces them. */
async function lockOwners(
  tx: Connection,
  pks: readonly number[],
): Promise<{ pk: number; domain_pk: number; key: string }[]> {
  // Answered by link_pkey.
  // defence: reserving-rows-not-locked
  const found = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE pk = ANY(${pks}::bigint[])
      AND workspace_pk IS NOT NULL`);
  if (found.length === 0) return [];
  const owners = found.map(({ pk }) => pk);
  const locked = await lockLinks(tx, owners, "share");
  // Answered by link_pkey.
  return await tx.query(sql`
    SELECT pk, domain_pk, key
    FROM link
    WHERE pk = ANY(${locked}::bigint[])
      AND workspace_pk IS NOT NULL`);
}

/** Whether another link of the domain has the generated code as its name. */
export async function findTakenName(tx: Connection, row: NameClaim): Promise<boolean> {
  // Answered by alias_pkey.
  return await tx.any(sql`
    SELECT 1
    FROM alias
    WHERE domain_pk = ${row.domain_pk}
      AND key = ${row.key}`);
}

/** Releases these names, but no other names of the same links. */
export async function dropNames(tx: Connection, rows: readonly NameClaim[]): Promise<void> {
  // Answered by alias_pkey.
  await tx.query(sql`
    DELETE FROM alias
    USING unnest(
      ${rows.map((row) => row.domain_pk)}::int[],
      ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.pk)}::bigint[]
    ) AS old (domain_pk, key, pk)
    WHERE alias.domain_pk = old.domain_pk
      AND alias.key = old.key
      AND alias.link_pk = old.pk`);
}
