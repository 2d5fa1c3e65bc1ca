/** What happens if growth continues. */
import { codePools } from "#lib/platform/codes";
import type { Usage } from "./schema.ts";

export const averagedDays = 30;
export const forecastDaysMax = 3_650;

/** Null for values that nobody recorded before the day was over. */
export interface RecordedDay {
  nth: number;
  links: number;
  codesLeased: number | null;
  databaseBytes: number | null;
}

/** Measured from the first recorded value; null if that was less than a day ago. */
export function growthPerDay(
  days: readonly RecordedDay[],
  field: "codesLeased" | "databaseBytes",
  now: { nth: number; value: number },
): number | null {
  const first = days.find((day) => day[field] !== null && day.nth > now.nth - averagedDays - 1);
  const passed = first ? now.nth - first.nth : 0;
  return passed < 1 ? null : Math.max(0, (now.value - (first?.[field] ?? 0)) / passed);
}

/** Leases come in large blocks, and restarts lose parts of them, so the greater number counts. */
export function codesPerDay(
  days: readonly RecordedDay[],
  now: { nth: number; value: number },
): number {
  const recent = days.filter(({ nth }) => nth < now.nth && nth >= now.nth - averagedDays);
  const links = recent.reduce((sum, day) => sum + day.links, 0) / Math.max(1, recent.length);
  return Math.max(links, growthPerDay(days, "codesLeased", now) ?? 0);
}

/** The codes of each length, and when they are used up at this speed, the shortest first. */
export function forecastPools(leased: number, perDay: number): Usage["codes"]["pools"] {
  return codePools.map(({ first, size, length }) => {
    const used = Math.min(Math.max(leased - first, 0), size);
    const days = Math.floor((first + size - Math.max(leased, 0)) / perDay);
    const endsInDays = days <= forecastDaysMax ? Math.max(0, days) : null;
    return { length, leased: used, left: size - used, endsInDays };
  });
}
