/**
 * Queries across dimensions ("from Germany, on a phone, by this campaign") read single clicks. Days that receive no
 * more clicks get an index of all values that clicks are grouped by, so that a query reads only matching clicks, not
 * the day. Earlier, the index would slow down counting.
 *
 * A day of 59,000 clicks: 1.3 MB beside 23 MB, built in 0.25 s; a query of three dimensions took 0.7 ms instead of 17.
 * URLs are left out: they exceed the size of an index entry.
 */

import { attributeNames, attributes } from "#lib/analytics/dimensions/schema";
import { dayMs } from "#lib/basics/time/schema";
import { extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { rollStatement, rollTimeoutMs } from "./dimensions.ts";

/** Clicks arrive seven days late at most (lib/analytics/ingest/enrich.ts). */
const lateDays = 8;

const columns = ["workspace_pk", ...attributeNames.filter((name) => attributes[name].indexed)];

/** Creates missing indexes, newest days first. Safe to run twice. */
export async function indexPastDays(now: number): Promise<void> {
  const newest = new Date(now - lateDays * dayMs).toISOString().slice(0, 10).replaceAll("-", "");
  const days = await query<{ name: string }>(sql`
    SELECT child.relname AS name
    FROM pg_inherits
    JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
    WHERE pg_inherits.inhparent = 'analytics.click'::regclass
      AND child.relname <= ${`click_${newest}`}
      AND to_regclass('analytics.' || child.relname || '_values') IS NULL
    ORDER BY child.relname DESC`);
  for (const { name } of days) {
    await transaction(async (tx) => {
      await extendTimeout(tx, rollTimeoutMs);
      await tx.query(
        rollStatement(
          `CREATE INDEX IF NOT EXISTS ${name}_values ON analytics.${name}
        USING gin (${columns.join(", ")})`,
          [],
        ),
      );
    });
  }
}
