/** Dates of rows, in the zone of the workspace where they name none. */

const dayPattern =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A date, with or without a time, as a moment in a zone; one with its own zone stays unchanged. */
export function momentOf(cell: string, zone: string): string {
  const found = dayPattern.exec(cell);
  if (!found) return cell;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(asUtc);
  // The 31st of a month with 30 days is an error, not the 1st of the next one.
  if (read.getUTCDate() !== day || read.getUTCMonth() !== month - 1 || hour > 23) return cell;
  // Twice: the first result may be on the other side of a clock change.
  const near = asUtc - offsetMs(asUtc, zone);
  return new Date(asUtc - offsetMs(near, zone)).toISOString();
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset of a zone from UTC at a moment. */
function offsetMs(at: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}
