/**
 * From a row of a file to the body of a create. Unparsable values are passed on unchanged, and refused by the create.
 */
import { type FieldName, kindOf } from "./fields.ts";
import type { KnownNames } from "./names.ts";
import type { ImportOptions } from "./schema.ts";

export interface RowReader {
  mapping: readonly (FieldName | null)[];
  options: ImportOptions;
  /** The zone of dates without one. */
  zone: string;
  /** Existing tags and folders. */
  names: KnownNames;
  /** The domains of the workspace. */
  hosts: ReadonlySet<string>;
}

const divider = /[,;|，；、]/;

export type RowBody = Record<string, unknown>;

/** A row as the body of a create. */
export function bodyOf(cells: readonly string[], reader: RowReader): RowBody {
  const { mapping, options } = reader;
  const body: RowBody = {};
  if (options.domain !== null) body["domain"] = options.domain;
  if (options.folderId !== null) body["folderId"] = options.folderId;
  Object.assign(body, nameOf(cells, mapping));
  for (const [at, field] of mapping.entries()) {
    const cell = plainCell(cells[at] ?? "");
    if (cell !== "") putCell(body, field, cell, reader);
  }
  if (options.tagIds.length > 0) body["tagIds"] = [...options.tagIds, ...listOf(body["tagIds"])];
  const { domain } = body;
  if (typeof domain === "string") body["domain"] = domainOf(domain, reader);
  // Required, so that a row without a URL gets the right error.
  body["url"] ??= "";
  return body;
}

function putCell(body: RowBody, field: FieldName | null, cell: string, reader: RowReader): void {
  // The short links are read by `nameOf`.
  if (field === null || field === "shortLink" || field === "customShortLink") return;
  if (field === "folder") body["folderId"] = folderOf(cell, reader);
  else body[field] = readCell(cell, field, reader.zone);
}

/** Without surrounding spaces, and without the apostrophe that exports put before formulas. */
function plainCell(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text;
}

/** The name of a link at another system: the chosen one if it has one. Cells with a slug of their own win over it. */
function nameOf(cells: readonly string[], mapping: RowReader["mapping"]): RowBody {
  for (const field of ["customShortLink", "shortLink"] as const) {
    const cell = plainCell(cells[mapping.indexOf(field)] ?? "");
    if (cell !== "" && cell !== "[]") return nameOfLink(cell);
  }
  return {};
}

const linkPattern = /^(?:https?:\/\/)?([^\s/?#]+)\/([^\s?#]*)(?:[?#]\S*)?$/i;

/**
 * "go.example.com/sale" → domain and slug. Without a slug, or with several short links, the cell is passed on whole; its
 * scheme makes it an invalid slug, so that no link loses one of its names silently.
 */
function nameOfLink(cell: string): RowBody {
  const text = cell.replace(/^\["?|"?\]$/g, "");
  const [, host, path = ""] = linkPattern.exec(text) ?? [];
  if (path === "" && host === undefined && !divider.test(text)) return { key: text };
  if (host === undefined || path === "" || divider.test(text)) {
    return { key: `https://${text.replace(/^https?:\/\//i, "")}` };
  }
  return { domain: host.replace(/:\d+$/, "").toLowerCase(), key: decode(path) };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The chosen domain instead of one that the workspace does not have. */
function domainOf(domain: string, { hosts, options: { otherDomain } }: RowReader): string {
  return otherDomain && !hosts.has(domain.toLowerCase()) ? otherDomain : domain;
}

function folderOf(cell: string, { names: { folders } }: RowReader): string {
  return folders.get(cell.toLowerCase()) ?? cell;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value : [];
}

function readCell(cell: string, field: FieldName, zone: string): unknown {
  const kind = kindOf(field);
  if (kind === "names") {
    return cell
      .split(divider)
      .map((name) => name.trim())
      .filter((name) => name !== "");
  }
  if (kind === "number") return /^\d{1,15}$/.test(cell) ? Number(cell) : cell;
  if (kind === "flag") return flagOf(cell);
  if (kind === "json") return jsonOf(cell);
  if (kind === "moment") return momentOf(cell, zone);
  return cell;
}

const yes = new Set(["true", "yes", "y", "1", "on", "x", "是"]);
const no = new Set(["false", "no", "n", "0", "off", "否"]);

function flagOf(cell: string): unknown {
  const word = cell.toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : cell;
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

const dayPattern =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A date, with or without a time, as a moment in a zone; one with its own zone stays unchanged. */
function momentOf(cell: string, zone: string): string {
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
