/**
 * Secrets per day: the salt of visitor hashes, and the key that encrypts addresses between visit and ingest. Erased
 * after `keptHours`; later clicks count without visitor and location.
 */

import { randomBytes } from "node:crypto";
import { hourMs } from "#lib/basics/time/schema";
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

/**
 * The secret of a day; created unless the day is past, undefined when it was erased. All processes get the same one.
 */
export async function loadDaySecret(day: string, now = Date.now()): Promise<DaySecret | undefined> {
  if (day >= dayOf(now)) {
    await query(sql`
      INSERT INTO analytics.day_secret (day, salt, key)
      VALUES (${day}, ${randomBytes(secretBytes)}, ${randomBytes(secretBytes)})
      ON CONFLICT (day) DO NOTHING`);
  }
  return await query.one<DaySecret>(
    sql`SELECT salt, key FROM analytics.day_secret WHERE day = ${day}`,
  );
}

/** Erases expired secrets. Safe to run twice. */
export async function eraseOldSecrets(now = Date.now()): Promise<void> {
  // The retention of a secret starts at the end of its day.
  const last = dayOf(now - keptHours * hourMs);
  await query(sql`DELETE FROM analytics.day_secret WHERE day < ${last}`);
}
