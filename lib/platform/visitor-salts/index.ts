/**
 * Secrets of a day: the salt that visitors are hashed with, and the key that encrypts addresses on their way from a
 * visit to its ingest. Erased after `keptHours`; what arrives later counts without visitor and place.
 */
import { randomBytes } from "node:crypto";
import { query, sql } from "#lib/platform/postgres";

const keptHours = 48;
const secretBytes = 32;

export interface DaySecret {
  salt: Buffer;
  key: Buffer;
}

/** The day of a moment, in UTC: `2026-01-31`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The secret of a day; made if it is none of the past, undefined when it was erased. All processes get the same one. */
export async function loadDaySecret(day: string, now = Date.now()): Promise<DaySecret | undefined> {
  if (day >= dayOf(now)) {
    await query(
      sql`
        INSERT INTO analytics.day_secret (day, salt, key)
        VALUES (${day}, ${randomBytes(secretBytes)}, ${randomBytes(secretBytes)})
        ON CONFLICT (day) DO NOTHING`,
    );
  }
  const [secret] = await query<DaySecret>(
    sql`SELECT salt, key FROM analytics.day_secret WHERE day = ${day}`,
  );
  return secret;
}

/** Erases what is older than its time. Safe to run twice. */
export async function eraseOldDays(now = Date.now()): Promise<void> {
  // A day's secret is needed until the day is over; only then do its hours begin to count.
  const last = dayOf(now - keptHours * 3_600_000);
  await query(sql`DELETE FROM analytics.day_secret WHERE day < ${last}`);
}
