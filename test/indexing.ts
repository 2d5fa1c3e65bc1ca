/** For database tests: runs of links/indexing without its pauses. */
import { indexLinks } from "#lib/links/indexing";
import { query, sql } from "#lib/platform/postgres";

type Options = NonNullable<Parameters<typeof indexLinks>[0]>;

export function runIndexing(options: Options = {}): Promise<number> {
  return indexLinks({ runMs: 60_000, idAgeMaxMs: 0, rests: false, ...options });
}

/** Until everything that is committed now is settled, also while other tests hold transactions. */
export async function settleIndexing(options: Options = {}): Promise<void> {
  const now = Date.now();
  for (let tries = 0; tries < 2_000; tries++) {
    await runIndexing(options);
    const [row] = await query<{ settled_at: Date }>(sql`SELECT settled_at FROM search_horizon`);
    if (row && row.settled_at.getTime() > now) return;
  }
  throw new Error("The horizon does not move");
}
