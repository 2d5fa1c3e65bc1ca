/** Facts about a link from another system. They are for information only, so a bad one refuses no row. */
import type { LinkOrigin } from "#lib/links/link-rows/schema";
import type { FieldName } from "./fields.ts";

const charsMax = 500;
const firstYear = 1990;
const fileSystem = "file";

/** Undefined if the row says nothing. `cellOf` returns the text of a field, or "". */
export function originOf(
  cellOf: (field: FieldName) => string,
  { zone, hosts }: { zone: string; hosts: ReadonlySet<string> },
): LinkOrigin | undefined {
  const short = bareLink(
    cellOf("originShortLink") || cellOf("customShortLink") || cellOf("shortLink"),
  );
  const clicks = countOf(cellOf("originClicks"));
  const createdAt = pastOf(cellOf("originCreatedAt"), zone);
  const system = cellOf("originSystem");
  const isElsewhere = short !== null && !hosts.has(short.split("/", 1)[0] ?? "");
  if (clicks === null && createdAt === null && system === "" && !isElsewhere) return undefined;
  return { system: system || fileSystem, shortLink: short, clicks, createdAt };
}

/** "https://Go.example.com/sale?x" → "go.example.com/sale"; null if it is no short link. */
function bareLink(text: string): string | null {
  const [, host = "", path = ""] =
    /^(?:https?:\/\/)?([^\s/?#]+\.[^\s/?#]+)\/([^\s?#]+)/i.exec(text) ?? [];
  const link = `${host.toLowerCase()}/${path}`;
  return path === "" || link.length > charsMax ? null : link;
}

function countOf(cell: string): number | null {
  const digits = cell.replace(/[\s,.'’_]/g, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

const secondsPattern = /^\d{9,10}$/;
const millisecondsPattern = /^\d{12,13}$/;

function pastOf(cell: string, zone: string): string | null {
  if (cell === "") return null;
  if (secondsPattern.test(cell)) return new Date(Number(cell) * 1_000).toISOString();
  if (millisecondsPattern.test(cell)) return new Date(Number(cell)).toISOString();
  const at = new Date(momentOf(cell, zone));
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < firstYear ? null : at.toISOString();
}

const dayPattern =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Reads a date, with or without a time, in a zone. A date with its own zone stays unchanged. */
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
  // Twice, because the first result may be on the other side of a clock change.
  const near = asUtc - offsetMs(asUtc, zone);
  return new Date(asUtc - offsetMs(near, zone)).toISOString();
}

const formats = new Map<string, Intl.DateTimeFormat>();

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
