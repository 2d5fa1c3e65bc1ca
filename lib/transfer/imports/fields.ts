/** Finds the fields of columns by their headings and by their cells. */

import { bareUrl } from "#lib/basics/urls/schema";
import { plainName } from "#lib/platform/tables/schema";
import { type CellKind, fields } from "./field-table.ts";

export type FieldName = keyof typeof fields;

/** Sound because they are the keys of the table, which is not empty. */
export const fieldNames = Object.keys(fields) as [FieldName, ...FieldName[]];

export function kindOf(field: FieldName): CellKind {
  return fields[field][0];
}

export function issueOf(field: string): CellKind | "status" {
  if (field === "redirectStatus") return "status";
  const known = fieldNames.find((name) => name === field);
  return known ? kindOf(known) : "text";
}

const fieldOfHeading = new Map<string, FieldName>();
for (const field of fieldNames) {
  const [, ...others] = fields[field];
  for (const name of [field, ...others]) fieldOfHeading.set(plainName(name), field);
}

/** Also finds the field in parentheses: "Deep link (link)". */
export function fieldOf(heading: string): FieldName | undefined {
  const [, outside = "", inside = ""] = /^([^()]*)\(([^()]*)\)\s*$/.exec(heading) ?? [];
  for (const name of [heading, outside, inside]) {
    const field = fieldOfHeading.get(plainName(name));
    if (field) return field;
  }
  return undefined;
}

export const jsonNames = [...fieldOfHeading].flatMap(([name, field]) =>
  kindOf(field) === "json" ? [name] : [],
);

/** JSON from an API has ids of tags and folders that do not exist here. */
const idHeadings = new Set(["tagid", "tagids", "folderid", "webhookids"]);

/** Leaves out columns with ids. People can still choose them. */
export function withoutIds(
  mapping: readonly (FieldName | null)[],
  headings: readonly string[],
): (FieldName | null)[] {
  return mapping.map((field, at) => (idHeadings.has(plainName(headings[at] ?? "")) ? null : field));
}

const besideDestination: Readonly<Record<string, FieldName>> = {
  link: "shortLink",
  address: "key",
};

const urlPattern =
  /^(?:https?:\/\/\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:[/?#]\S*)?)$/iu;

function isUrl(cell: string): boolean {
  return urlPattern.test(cell.trim());
}

/** The first record is a heading if none of its cells is a URL. */
export function hasHeading(first: readonly string[]): boolean {
  return !first.some(isUrl);
}

/** Fields by their headings. If none is for the URL, takes the first column that contains URLs. */
export function guessMapping(
  headings: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  width: number,
): (FieldName | null)[] {
  const used = new Set<FieldName>();
  const named = Array.from({ length: width }, (_, at) => fieldOf(headings?.[at] ?? ""));
  const isPlain = (at: number) => {
    const name = plainName(headings?.[at] ?? "");
    return name === "url" || name in besideDestination;
  };
  const hasOther = named.some((field, at) => field === "url" && !isPlain(at));
  const mapping = named.map((strict, at) => {
    const field = (hasOther && besideDestination[plainName(headings?.[at] ?? "")]) || strict;
    if (field === undefined || used.has(field)) return null;
    used.add(field);
    return field;
  });
  if (used.has("url")) return mapping;
  // Never the short link: a link to it would be a loop.
  const at = mapping.findIndex((field, column) => field === null && containsUrls(rows, column));
  if (at >= 0) mapping[at] = "url";
  return mapping;
}

function containsUrls(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
  return cells.length > 0 && cells.filter(isUrl).length * 2 > cells.length;
}

const slugPattern = /slug|back-?half|bitlink|short|alias|keyword|slashtag|短|后缀|别名/iu;
const shortUrlPattern = /^(?:https?:\/\/)?[\p{L}\p{N}.-]+\.\p{L}{2,}\/[^/?#\s]{1,40}$/iu;

/** If no column is mapped to the slug, finds the one that seems to have slugs. */
export function findSlugColumn(
  headings: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  mapping: readonly (FieldName | null)[],
): number | undefined {
  if (mapping.some((field) => field && slugFields.has(field))) return undefined;
  const isFree = (at: number) => mapping[at] === null;
  const byHeading = mapping.findIndex((_, at) => {
    const heading = headings?.[at] ?? "";
    const field = fieldOf(heading);
    return isFree(at) && ((field && slugFields.has(field)) || slugPattern.test(heading));
  });
  if (byHeading >= 0) return byHeading;
  const byCells = mapping.findIndex((_, at) => isFree(at) && containsShortUrls(rows, at));
  return byCells >= 0 ? byCells : undefined;
}

const slugFields: ReadonlySet<FieldName> = new Set(["key", "shortLink", "customShortLink"]);

function containsShortUrls(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column]?.trim() ?? "").filter((cell) => cell !== "");
  const hosts = new Set(cells.map((cell) => bareUrl(cell).split("/")[0]));
  return cells.length > 0 && hosts.size === 1 && cells.every((cell) => shortUrlPattern.test(cell));
}
