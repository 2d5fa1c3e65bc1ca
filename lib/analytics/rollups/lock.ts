/** Allows one worker at a time to roll a workspace. */
import { type Connection, sql } from "#lib/platform/postgres";

const nameOf = (workspacePk: number) => `rollups of ${workspacePk}`;

/** Takes the rollup lock of a workspace until the transaction ends. False: another worker holds it. */
export async function tryLockRollups(tx: Connection, workspacePk: number): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${nameOf(workspacePk)}, 0)) AS locked`,
  );
  return row?.locked ?? false;
}

/** The same for several workspaces, waiting for each. */
export async function lockRollups(tx: Connection, workspacePks: Iterable<number>): Promise<void> {
  for (const workspacePk of [...new Set(workspacePks)].sort((a, b) => a - b)) {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${nameOf(workspacePk)}, 0))`);
  }
}
