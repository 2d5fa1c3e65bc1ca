/**
 * Locks links one by one in the order of their pks, so that no two transactions wait for each other. Statements that read or
 * change them follow, and decide by what the rows are then.
 */
import { type Connection, sql } from "#lib/platform/postgres";

/** As PostgreSQL names them. */
export type LockStrength = "update" | "no key update" | "share" | "key share";

/** Waits for other transactions. Returns the pks of the links that exist. */
export function lockLinks(
  tx: Connection,
  pks: readonly number[],
  strength: LockStrength,
): Promise<number[]> {
  return lock(tx, pks, strength, true);
}

/** Locks for an update those that no other transaction has locked, and returns their pks. */
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
