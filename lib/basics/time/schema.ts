/** Units of time, and conversion between time fields and instants in a chosen zone. */

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const daySeconds = 86_400;
/** The value of an input: `2026-01-31T12:00`. */
const localPattern = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/;

/** The wall clock of a zone, as milliseconds of the same wall clock in UTC. */
function wallMs(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(value("year"), value("month") - 1, value("day"), value("hour"), value("minute"));
}

export function localIn(zone: string, instant: string | null | undefined): string {
  return instant ? textOf(wallMs(zone, Date.parse(instant))) : "";
}

function textOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

/** Invalid text is returned unchanged, so that it is refused and not ignored. */
export function instantIn(zone: string, local: string | null): string | null {
  if (!local) return null;
  const [, ...numbers] = localPattern.exec(local) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = numbers.map(Number);
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  if (numbers.length === 0 || Number.isNaN(wall)) return local;
  // The zone has the offset of the day before or the day after.
  const candidates = [wall - dayMs, wall + dayMs].map((near) => wall - (wallMs(zone, near) - near));
  const exact = candidates.find((at) => wallMs(zone, at) === wall);
  // If the clock skips this time, use the offset before the change.
  return new Date(exact ?? candidates[0] ?? wall).toISOString();
}

export const presets = ["tomorrow", "week", "monthEnd", "month"] as const;
export type Preset = (typeof presets)[number];

export function presetDays(zone: string, now: number): Record<Preset, string> {
  const today = new Date(wallMs(zone, now));
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const dateOf = (at: number) => textOf(at).slice(0, 10);
  const lastOfNext = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  return {
    tomorrow: dateOf(Date.UTC(year, month, day + 1)),
    week: dateOf(Date.UTC(year, month, day + 7)),
    monthEnd: dateOf(Date.UTC(year, month + 1, 0)),
    month: dateOf(Date.UTC(year, month + 1, Math.min(day, lastOfNext))),
  };
}
