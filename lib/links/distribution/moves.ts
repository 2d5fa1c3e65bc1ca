/**
 * Moves of links between tags and folders, where links are on several servers. One transaction
 * writes a move on the server of the link and records it on the coordinator. But Citus has no
 * snapshot across servers, so a query that reads both may see only one half. So nothing moves in a
 * workspace while its links are added up by tag and folder.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { areLinksApart, onlyApart } from "./known.ts";

const nameOf = (workspacePk: number) => `moves of ${workspacePk}`;

/** Later moves queue behind the exclusive lock, so it gives up quickly and tries again. */
const lockWaitMs = 1_000;
const lockTriesMax = 20;
const decisionWaitMs = 50;
const decisionTriesMax = 200;
const lockNotAvailable = "55P03";

/**
 * Called in a transaction that moves links. The transaction ends before or after `withoutMoves`.
 */
export const holdMoves = onlyApart(async (tx: Connection, workspacePks: Iterable<number>) => {
  for (const workspacePk of [...new Set(workspacePks)].sort((a, b) => a - b)) {
    await tx.query(
      sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${nameOf(workspacePk)}, 0))`,
    );
  }
});

/** While `work` runs, no move of the workspace commits. It sees all earlier ones. */
export async function withoutMoves(
  workspacePk: number,
  work: () => Promise<void>,
  tx?: Connection,
): Promise<void> {
  // One PostgreSQL has a snapshot, so no lock is needed.
  if (!(await areLinksApart(tx))) return await work();
  for (let tries = 1; ; tries++) {
    try {
      await transaction(async (guard) => {
        // This connection idles during the work, which has its own time limit.
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
 * Waits until the transactions that are now prepared on other servers have ended. If a server was
 * lost, Citus ends them after `citus.recover_2pc_interval`.
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
