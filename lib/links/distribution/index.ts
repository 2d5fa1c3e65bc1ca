import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";

export { orderOfBlock } from "./order.ts";

const knownMs = 60_000;
let known: { apart: boolean; until: number } | undefined;

export function areLinksApart(tx?: Connection): boolean | Promise<boolean> {
  if (!known) return ask(tx);
  if (known.until < Date.now()) {
    known.until = Date.now() + knownMs;
    // Ask on another connection, so that no transaction waits for another transaction’s query.
    ask().catch(() => undefined);
  }
  return known.apart;
}

/** True until this process knows, because statements for several servers also work on one. */
export function peekLinksApart(): boolean {
  const apart = areLinksApart();
  if (typeof apart === "boolean") return apart;
  apart.catch(() => undefined);
  return true;
}

async function ask(tx?: Connection): Promise<boolean> {
  const [row] = await query
    .on(tx)
    .query<{ apart: boolean }>(sql`SELECT links_distributed() AS apart`);
  known = { apart: row?.apart ?? false, until: Date.now() + knownMs };
  return known.apart;
}

/** A statement has two forms only if its form for Citus is slower on one PostgreSQL. */
export function chooseForm<Form>({ one, apart }: { one: Form; apart: Form }) {
  return async (tx?: Connection): Promise<Form> => ((await areLinksApart(tx)) ? apart : one);
}

export function onlyApart<Rest extends unknown[]>(
  work: (tx: Connection, ...rest: Rest) => Promise<void>,
) {
  return async (tx: Connection, ...rest: Rest): Promise<void> => {
    if (await areLinksApart(tx)) await work(tx, ...rest);
  };
}

/**
 * Moves of links between tags and folders. One transaction writes a move on the server of the link
 * and records it on the coordinator, but Citus has no snapshot across servers: a query that reads
 * both may see only one half. So nothing moves in a workspace while its links are added up by tag
 * and folder.
 */
const nameOf = (workspacePk: number) => `moves of ${workspacePk}`;

/** Later moves queue behind the exclusive lock, so it gives up quickly and tries again. */
const lockWaitMs = 1_000;
const lockTriesMax = 20;
const decisionWaitMs = 50;
const decisionTriesMax = 200;
const lockNotAvailable = "55P03";

/** Called in every transaction that moves links, so that it commits before or after `withoutMoves`, but not during it. */
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

/** Waits until transactions that are now prepared on other servers have ended. */
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
