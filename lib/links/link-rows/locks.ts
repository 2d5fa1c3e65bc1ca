/** Locks links in the order of their pks, so that transactions cannot deadlock. */
import { type Connection, sql } from "#lib/platform/postgres";

export type LockStrength = "update" | "no key update" | "share" | "key share";

export function lockLinks(
  tx: Connection,
  pks: readonly number[],
  strength: LockStrength,
): Promise<number[]> {
  return lock(tx, pks, strength, true);
}

/** Locks links that no other transaction has locked, and returns their pks. */
export function lockFreeLinks(tx: Connection, pks: readonly number[]): Promise<number[]> {
  return lock(tx, pks, "update", false);
}

async function lock(
  tx: Connection,
  pks: readonly number[],
  strength: LockStrength,
  waits: boolean,
): Promise<number[]> {
  if (pks.length === 0) return [];
  // Answered by link_pkey, one lookup each.
  const locked = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM lock_links(${pks}::bigint[], ${strength}, ${waits}) AS pk`,
  );
  return locked.map(({ pk }) => pk);
}
