/**
 * Moves of links between tags and folders, where links are on several servers. A move is written on the server of the link
 * and recorded on the coordinator in one transaction, but Citus has no snapshot across servers: who reads both at once
 * may see one half. So nothing moves in a workspace while its links are added up by tag and folder.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { areLinksApart, onlyApart } from "./known.ts";

const nameOf = (workspacePk: number) => `moves of ${workspacePk}`;

/** Moves that wait for each other would wait for the one who waits for them all. */
const lockWaitMs = 1_000;
const lockTriesMax = 20;
const decisionWaitMs = 50;
const decisionTriesMax = 200;
const lockNotAvailable = "55P03";

/** In a transaction that moved links of these workspaces: it ends before, or after, `withoutMoves`. */
export const holdMoves = onlyApart(async (tx: Connection, workspacePks: Iterable<number>) => {
  for (const workspacePk of [...new Set(workspacePks)].sort((a, b) => a - b)) {
    await tx.query(
      sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${nameOf(workspacePk)}, 0))`,
    );
  }
});

/** Work in `tx` during which no move of the workspace commits, and all that committed are there on every server. */
export async function withoutMoves(
  workspacePk: number,
  work: () => Promise<void>,
  tx?: Connection,
): Promise<void> {
  // One PostgreSQL has a snapshot.
  if (!(await areLinksApart(tx))) return await work();
  for (let tries = 1; ; tries++) {
    try {
      await transaction(async (guard) => {
        // It is idle during the work, which has a time limit of its own.
        await query.on(guard).query(sql`
          SELECT set_config('lock_timeout', ${String(lockWaitMs)}, true),
            set_config('idle_in_transaction_session_timeout', '0', true)`);
        // defence: no-move-during-sum
        await query
          .on(guard)
          .query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${nameOf(workspacePk)}, 0))`);
        await awaitDecisions(guard);
        await work();
      });
      return;
    } catch (error) {
      const isBusy = error instanceof Error && "code" in error && error.code === lockNotAvailable;
      if (!isBusy || tries === lockTriesMax) throw error;
    }
  }
}

/**
 * Until transactions that are prepared on other servers now have ended there. One whose server was lost at that moment
 * waits for `citus.recover_2pc_interval`.
 */
async function awaitDecisions(guard: Connection): Promise<void> {
  const prepared = await listPrepared(guard);
  for (let tries = 0; prepared.size > 0; tries++) {
    if (tries === decisionTriesMax) throw new Error("Transactions of other servers are undecided.");
    await sleep(decisionWaitMs);
    const still = await listPrepared(guard);
    for (const name of prepared) if (!still.has(name)) prepared.delete(name);
  }
}

async function listPrepared(guard: Connection): Promise<Set<string>> {
  const [known] = await guard.query<{ citus: boolean }>(
    sql`SELECT to_regproc('run_command_on_workers') IS NOT NULL AS citus`,
  );
  if (!known?.citus) return new Set();
  const servers = await guard.query<{ success: boolean; result: string }>(sql`
    SELECT success, result
    FROM run_command_on_workers(
      'SELECT coalesce(json_agg(gid), ''[]'') FROM pg_prepared_xacts WHERE database = current_database()'
    )`);
  const lost = servers.find(({ success }) => !success);
  if (lost) throw new Error(`A server of links doesn’t answer: ${lost.result}`);
  return new Set(servers.flatMap(({ result }): string[] => JSON.parse(result)));
}
