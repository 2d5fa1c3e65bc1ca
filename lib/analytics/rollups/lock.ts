/** Lets one worker at a time roll a workspace. */
import { type Connection, sql } from "#lib/platform/postgres";

const nameOf = (workspacePk: number) => `rollups of ${workspacePk}`;

/** Holds the lock until the transaction ends. False if another worker has it. */
export async function tryLockRollups(tx: Connection, workspacePk: number): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${nameOf(workspacePk)}, 0)) AS locked`,
  );
  return row?.locked ?? false;
}

export async function lockRollups(tx: Connection, workspacePks: Iterable<number>): Promise<void> {
  for (const workspacePk of [...new Set(workspacePks)].sort((a, b) => a - b)) {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${nameOf(workspacePk)}, 0))`);
  }
}
