/** Links on several servers (prisma/distribute.ts). This never changes while a process serves. */
import { type Connection, query, sql } from "#lib/platform/postgres";

const knownMs = 60_000;
let known: { apart: boolean; until: number } | undefined;

export function areLinksApart(tx?: Connection): boolean | Promise<boolean> {
  if (!known) return ask(tx);
  if (known.until < Date.now()) {
    known.until = Date.now() + knownMs;
    // Ask on another connection: all transactions would wait for one of them.
    // wait for one of them.
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
 * The form of a statement for one PostgreSQL, or for several servers. Only statements whose form
 * for Citus is slower on one PostgreSQL have two.
 */
export function chooseForm<Form>({ one, apart }: { one: Form; apart: Form }) {
  return async (tx?: Connection): Promise<Form> => ((await areLinksApart(tx)) ? apart : one);
}

/** Wraps work that is only needed where links are on several servers. */
export function onlyApart<Rest extends unknown[]>(
  work: (tx: Connection, ...rest: Rest) => Promise<void>,
) {
  return async (tx: Connection, ...rest: Rest): Promise<void> => {
    if (await areLinksApart(tx)) await work(tx, ...rest);
  };
}
