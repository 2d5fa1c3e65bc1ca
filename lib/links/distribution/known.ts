/** Whether links are on several servers (prisma/distribute.ts), which changes while no process serves. */
import { type Connection, query, sql } from "#lib/platform/postgres";

const knownMs = 60_000;
let known: { apart: boolean; until: number } | undefined;

/**
 * Asked once a minute. Some statements have a form which Citus accepts and one that costs less on one PostgreSQL; both
 * answer the same.
 */
export async function areLinksApart(tx?: Connection): Promise<boolean> {
  if (!known) return await ask(tx);
  if (known.until < Date.now()) {
    known.until = Date.now() + knownMs;
    // On another connection, while the last answer is used: transactions of all connections would wait for one of theirs.
    ask().catch(() => undefined);
  }
  return known.apart;
}

async function ask(tx?: Connection): Promise<boolean> {
  const [row] = await query
    .on(tx)
    .query<{ apart: boolean }>(sql`SELECT links_distributed() AS apart`);
  known = { apart: row?.apart ?? false, until: Date.now() + knownMs };
  return known.apart;
}
