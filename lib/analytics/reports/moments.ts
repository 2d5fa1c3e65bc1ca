/** Days, moments and time zones in queries. */
import { z } from "zod";

const zoneCharsMax = 64;

/** True for a zone that this runtime supports, and PostgreSQL with it: names, no offsets. */
function isZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false; // RangeError: unknown zone
  }
}

export const zone = z
  .string()
  .max(zoneCharsMax)
  .refine(isZone, "Use an IANA time zone, such as Europe/Berlin.")
  .default("UTC");

/** A day or a moment; without an offset it is in the requested zone. */
export const moment = z
  .string()
  .max(40)
  .refine(isMoment, "Use a date, such as 2026-01-31 or 2026-01-31T12:00:00Z.")
  .optional();

const momentShape =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;

function isMoment(text: string): boolean {
  const [, year, month, day] = momentShape.exec(text) ?? [];
  if (year === undefined || year < "1970" || year > "2999") return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // February 31 would parse as a day in March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}
