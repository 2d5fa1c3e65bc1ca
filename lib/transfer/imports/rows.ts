/** Turns a row of a file into the body of a create, which refuses values that cannot be parsed. */

import { bareUrl } from "#lib/basics/urls/schema";
import type { RowFailure } from "#lib/links/creating";
import { withoutApostrophes } from "#lib/platform/downloads";
import { type FieldName, kindOf } from "./fields.ts";
import type { KnownNames } from "./names.ts";
import { momentOf, originOf } from "./origins.ts";
import { anyDomain, type ImportOptions } from "./schema.ts";

export interface RowReader {
  mapping: readonly (FieldName | null)[];
  options: ImportOptions;
  zone: string;
  names: KnownNames;
  hosts: ReadonlySet<string>;
}

const divider = /[,;|，；、]/;

export type RowBody = Record<string, unknown>;

/** The body of a row, or why the row gets no link before anything is looked up. */
export function bodyOrRefusal(cells: readonly string[], reader: RowReader): RowBody | RowRefusal {
  const domain = domainIn(cells, reader.mapping);
  if (domain !== undefined && isSkipped(domain, reader.options)) {
    const message = `domain: The rows of ${domain} are skipped, as chosen for this import.`;
    return new RowRefusal({ ok: false, code: "domain_skipped", message, details: { domain } });
  }
  const body = bodyOf(cells, reader);
  if (body["url"] !== "") return body;
  const message = "url: The destination is missing. Enter one, or delete the row.";
  return new RowRefusal({ ok: false, code: "url_missing", message });
}

export class RowRefusal {
  readonly failure: RowFailure;

  constructor(failure: RowFailure) {
    this.failure = failure;
  }
}

export function acceptedOf(rows: readonly (RowBody | RowRefusal)[]): RowBody[] {
  return rows.filter((row): row is RowBody => !(row instanceof RowRefusal));
}

/** Puts the results of the accepted rows back between the refused ones. */
export function withRefusals<Result>(
  rows: readonly (RowBody | RowRefusal)[],
  accepted: readonly Result[],
): (Result | RowFailure)[] {
  const results = accepted.values();
  return rows.map((row) => {
    if (row instanceof RowRefusal) return row.failure;
    const { value, done } = results.next();
    if (done) throw new Error("A row has no result");
    return value;
  });
}

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
  // Only named domains are replaced, never the one for rows that name none.
  const named = domainIn(cells, mapping);
  if (named !== undefined) body["domain"] = domainOf(named, reader);
  const origin = originOf((field) => plainCell(cells[mapping.indexOf(field)] ?? ""), reader);
  if (origin) body["origin"] = origin;
  // The URL is required, so a row without one gets the right error.
  body["url"] ??= "";
  return body;
}

function putCell(body: RowBody, field: FieldName | null, cell: string, reader: RowReader): void {
  // `nameOf` reads the short links.
  if (field === null || field === "shortLink" || field === "customShortLink") return;
  if (kindOf(field) === "origin") return;
  if (field === "folder") body["folderId"] = folderOf(cell, reader);
  else body[field] = readCell(cell, field, reader.zone);
}

/** Removes surrounding spaces, and the apostrophes that exports put before formulas. */
function plainCell(cell: string): string {
  return withoutApostrophes(cell.trim());
}

/** The domain that a row names, in lower case: in a column of its own, or in its short link. */
export function domainIn(
  cells: readonly string[],
  mapping: RowReader["mapping"],
): string | undefined {
  const own = plainCell(cells[mapping.indexOf("domain")] ?? "");
  const domain = own === "" ? nameOf(cells, mapping)["domain"] : own;
  return typeof domain === "string" ? domain.toLowerCase() : undefined;
}

function isSkipped(domain: string, options: ImportOptions): boolean {
  return replacementOf(domain, options) === null;
}

function replacementOf(domain: string, { domains = {} }: ImportOptions): string | null | undefined {
  return Object.hasOwn(domains, domain) ? domains[domain] : domains[anyDomain];
}

/** Domain and slug of a link at another system. A slug in a column of its own wins. */
function nameOf(cells: readonly string[], mapping: RowReader["mapping"]): RowBody {
  for (const field of ["customShortLink", "shortLink"] as const) {
    const cell = plainCell(cells[mapping.indexOf(field)] ?? "");
    if (cell !== "" && cell !== "[]") return nameOfLink(cell);
  }
  return {};
}

const linkPattern = /^(?:https?:\/\/)?([^\s/?#]+)\/([^\s?#]*)(?:[?#]\S*)?$/i;

/**
 * "go.example.com/sale" → domain and slug. Without a slug, or with several short links, the whole
 * cell is an invalid slug, so that no link silently loses a name.
 */
function nameOfLink(cell: string): RowBody {
  const text = cell.replace(/^\["?|"?\]$/g, "");
  const [, host, path = ""] = linkPattern.exec(text) ?? [];
  if (path === "" && host === undefined && !divider.test(text)) return { key: text };
  if (host === undefined || path === "" || divider.test(text)) {
    return { key: `https://${bareUrl(text)}` };
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

/** The domain that people chose to replace this one, or to replace all that the workspace does not have. */
function domainOf(domain: string, { hosts, options }: RowReader): string {
  const { otherDomain } = options;
  const chosen = replacementOf(domain, options);
  if (chosen) return chosen;
  return otherDomain && !hosts.has(domain) ? otherDomain : domain;
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
    const list = cell.startsWith("[") ? jsonOf(cell) : undefined;
    if (Array.isArray(list)) return list;
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
