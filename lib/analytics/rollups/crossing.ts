/**
 * Questions that cross dimensions ("from Germany, on a phone, by this campaign") read single clicks. Days to which no
 * click comes any more get an index of all values that clicks are told apart by, so that a question reads those that
 * have all of what it asks for, and not the day. Before that an index would only make counting slower.
 *
 * A day of 59,000 clicks: 1.3 MB beside 23 MB, made in 0.25 s; a question of three dimensions took 0.7 ms instead of 17.
 * Addresses are left out: they are longer than an index takes.
 */

import { dayMs } from "#lib/analytics/time-slots";
import { allowTime, query, sql, transaction } from "#lib/platform/postgres";
import { rollTimeoutMs, slowly } from "./dimensions.ts";

/** Clicks come seven days late at most (lib/analytics/ingest/enrich.ts). */
const lateDays = 8;

const columns = [
  "workspace_pk",
  "country",
  "region",
  "city",
  "device",
  "browser",
  "os",
  "language",
  "referer",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
];

/** Makes the indexes that are missing, the newest days first. Safe to run twice. */
export async function indexPastDays(now: number): Promise<void> {
  const newest = new Date(now - lateDays * dayMs).toISOString().slice(0, 10).replaceAll("-", "");
  const days = await query<{ name: string }>(
    sql`
      SELECT child.relname AS name
      FROM pg_inherits
      JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
      WHERE pg_inherits.inhparent = 'analytics.click'::regclass
        AND child.relname <= ${`click_${newest}`}
        AND to_regclass('analytics.' || child.relname || '_values') IS NULL
      ORDER BY child.relname DESC`,
  );
  for (const { name } of days) {
    await transaction(async (tx) => {
      await allowTime(tx, rollTimeoutMs);
      await query(
        slowly(
          `CREATE INDEX IF NOT EXISTS ${name}_values ON analytics.${name}
          USING gin (${columns.join(", ")})`,
          [],
        ),
        tx,
      );
    });
  }
}
