/** Whether links are on several servers (prisma/distribute.ts), which changes while no process serves. */
import { type Connection, query, sql } from "#lib/platform/postgres";

const knownMs = 60_000;
let known: { apart: boolean; until: number } | undefined;

/** Asked once a minute. */
export function areLinksApart(tx?: Connection): boolean | Promise<boolean> {
  if (!known) return ask(tx);
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

/**
 * The form of some statements for links on one PostgreSQL, or on several servers (`apart.ts` of a room). Both answer the
 * same: statements have two forms only where the one that Citus accepts costs more on one PostgreSQL.
 */
export function chooseForm<Form>({ one, apart }: { one: Form; apart: Form }) {
  return async (tx?: Connection): Promise<Form> => ((await areLinksApart(tx)) ? apart : one);
}

/** Work in a transaction that is only needed where links are on several servers. */
export function onlyApart<Rest extends unknown[]>(
  work: (tx: Connection, ...rest: Rest) => Promise<void>,
) {
  return async (tx: Connection, ...rest: Rest): Promise<void> => {
    if (await areLinksApart(tx)) await work(tx, ...rest);
  };
}
