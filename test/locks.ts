/** For database tests: waits for a lock in the database of the test file. */
import { expect } from "vitest";
import { query } from "#lib/platform/postgres";

/** On Citus, what waits on any of its servers. */
const waitingText = process.env["TEST_CITUS_URL"]
  ? "SELECT waiting_gpid FROM citus_lock_waits"
  : `SELECT pid
     FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/** Resolves once this many statements wait for a lock. */
export async function untilWaiting(count = 1): Promise<void> {
  const waiting = () => query({ text: waitingText, values: [] });
  await expect
    .poll(async () => (await waiting()).length, { timeout: 120_000, interval: 5 })
    .toBeGreaterThanOrEqual(count);
}
