/** The keys that encrypt addresses, in memory, so that no visit waits for them. */
import { dayMs } from "#lib/basics/time/schema";
import { log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";

const renewEveryMs = 60_000;
const keys = new Map<string, Buffer>();
let today = "";
let todayEndsAt = 0;

/** Loads the keys of today and tomorrow, and retries every minute. */
export async function openDayKeys(): Promise<void> {
  const renewal = setInterval(() => void renewDayKeys(), renewEveryMs);
  onClose("day keys", () => clearInterval(renewal));
  await renewDayKeys();
}

async function renewDayKeys(): Promise<void> {
  const now = Date.now();
  for (const day of [dayOf(now), dayOf(now + dayMs)]) {
    if (keys.has(day)) continue;
    const secret = await loadDaySecret(day).catch((error: unknown) => {
      log.warn({ event: "day_key.missing", day, error: String(error) });
      return undefined;
    });
    if (secret) keys.set(day, secret.key);
  }
  for (const day of keys.keys()) if (day < dayOf(now)) keys.delete(day);
}

/**
 * The day of a moment and its key. Without the key the click counts without visitor and location.
 */
export function keyOfDay(at: number): { day: string; key: Buffer | undefined } {
  if (at >= todayEndsAt) {
    today = dayOf(at);
    todayEndsAt = Date.parse(today) + dayMs;
  }
  return { day: today, key: keys.get(today) };
}
