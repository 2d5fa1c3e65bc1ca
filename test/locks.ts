/** For database tests: waits for a lock in the database of the test file. */
import { expect } from "vitest";
import { query, sql } from "#lib/platform/postgres";

/** Resolves once this many statements wait for a lock. */
export async function untilWaiting(count = 1): Promise<void> {
  const waiting = () =>
    query(sql`
      SELECT pid
      FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`);
  await expect
    .poll(async () => (await waiting()).length, { timeout: 120_000, interval: 5 })
    .toBeGreaterThanOrEqual(count);
}
