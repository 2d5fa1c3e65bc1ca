/** Whether links are on several servers (prisma/distribute.ts). */
import { type Connection, query, sql } from "#lib/platform/postgres";

export async function areLinksDistributed(tx?: Connection): Promise<boolean> {
  const [row] = await query<{ distributed: boolean }>(
    sql`SELECT links_distributed() AS distributed`,
    tx,
  );
  return row?.distributed ?? false;
}

const knownMs = 60_000;
let known: { distributed: boolean; until: number } | undefined;

/**
 * The same, asked once a minute: for statements that have a form which Citus accepts and one that costs less on one
 * PostgreSQL. Both answer the same.
 */
export async function areLinksApart(tx?: Connection): Promise<boolean> {
  if (!known) return await ask(tx);
  if (known.until < Date.now()) {
    known.until = Date.now() + knownMs;
    // On another connection, while the last answer is used: transactions of all connections would wait for one of theirs.
    ask().catch(() => undefined);
  }
  return known.distributed;
}

async function ask(tx?: Connection): Promise<boolean> {
  const distributed = await areLinksDistributed(tx);
  known = { distributed, until: Date.now() + knownMs };
  return distributed;
}
