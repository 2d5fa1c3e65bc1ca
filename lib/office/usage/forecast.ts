/** What a growth that continues leads to. */
import { codePools } from "#lib/platform/codes";
import type { Usage } from "./schema.ts";

/** The growth of the latest days is the average of so many. */
export const averagedDays = 30;
export const forecastDaysMax = 3_650;

/** A recorded day; null where it was over before it was recorded. */
export interface RecordedDay {
  /** Days since 1970. */
  nth: number;
  links: number;
  codesLeased: number | null;
  databaseBytes: number | null;
}

/** The growth per day from the first recorded value to the present one; null with less than a day between them. */
export function growthPerDay(
  days: readonly RecordedDay[],
  field: "codesLeased" | "databaseBytes",
  now: { nth: number; value: number },
): number | null {
  const first = days.find((day) => day[field] !== null && day.nth > now.nth - averagedDays - 1);
  const passed = first ? now.nth - first.nth : 0;
  return passed < 1 ? null : Math.max(0, (now.value - (first?.[field] ?? 0)) / passed);
}

/**
 * Slugs per day. Leases come in large blocks, of which restarts lose a part: a small instance may lease none in a month,
 * and a large one more than it has links. The greater of both is the speed.
 */
export function codesPerDay(
  days: readonly RecordedDay[],
  now: { nth: number; value: number },
): number {
  const recent = days.filter(({ nth }) => nth < now.nth && nth >= now.nth - averagedDays);
  const links = recent.reduce((sum, day) => sum + day.links, 0) / Math.max(1, recent.length);
  return Math.max(links, growthPerDay(days, "codesLeased", now) ?? 0);
}

/** The codes of each length, and when they are used up at this speed. Longer ones follow the shorter ones. */
export function forecastPools(leased: number, perDay: number): Usage["codes"]["pools"] {
  return codePools.map(({ first, size, length }) => {
    const used = Math.min(Math.max(leased - first, 0), size);
    const days = Math.floor((first + size - Math.max(leased, 0)) / perDay);
    const endsInDays = days <= forecastDaysMax ? Math.max(0, days) : null;
    return { length, leased: used, left: size - used, endsInDays };
  });
}
