/** Secrets are erased after `keptHours`. Clicks that arrive later count without visitor and location. */
import { randomBytes } from "node:crypto";
import { hourMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";

const keptHours = 48;
const secretBytes = 32;

export interface DaySecret {
  salt: Buffer;
  key: Buffer;
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** All processes get the same secret. Undefined: it was erased. */
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

export async function eraseOldSecrets(now = Date.now()): Promise<void> {
  // `keptHours` count from the end of a secret’s day.
  const last = dayOf(now - keptHours * hourMs);
  await query(sql`DELETE FROM analytics.day_secret WHERE day < ${last}`);
}
