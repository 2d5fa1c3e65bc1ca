/**
 * What a row says about its link at another system. It is information only, so what cannot be read is left out, and
 * never refuses the row.
 */
import type { LinkOrigin } from "#lib/links/link-rows/schema";
import type { FieldName } from "./fields.ts";
import { momentOf } from "./moments.ts";

const charsMax = 500;
/** There are no older short links. */
const firstYear = 1990;
/** Where a file does not say which system it is from. */
const fileSystem = "file";

/** Undefined: the row says nothing. `cellOf` returns the text of a field, "" if there is none. */
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

/** "https://Go.example.com/sale?x" → "go.example.com/sale"; null: it is no short link. */
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
