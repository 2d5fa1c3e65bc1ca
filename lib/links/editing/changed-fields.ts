/** A change of a link as its audit row says it: fields by the names that a Link has, each from what to what. */
import type { TagRow } from "#lib/links/fields";
import type { FoundLink } from "#lib/links/presenting";
import type { TagsChange } from "./edit.ts";

/** What columns are called that say something else than their name. `alias` follows from the key. */
const fieldsOf: Readonly<Record<string, string>> = {
  domain_pk: "domain",
  folder_pk: "folderId",
  password_hash: "password",
};

/** Of which only it is kept that they changed. */
const secretColumns = new Set(["password_hash"]);
const silentColumns = new Set(["alias"]);

function fieldOf(column: string): string {
  return fieldsOf[column] ?? column.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function valueIn(row: FoundLink, column: string): unknown {
  if (column === "domain_pk") return row.slug;
  if (column === "folder_pk") return row.folder_id;
  return new Map<string, unknown>(Object.entries(row)).get(column);
}

/** The details of a change. */
export function fieldsChanged(
  before: FoundLink,
  after: FoundLink,
  tags: TagsChange | undefined,
  columns: readonly string[],
): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const column of columns) {
    if (silentColumns.has(column)) continue;
    details[fieldOf(column)] = secretColumns.has(column)
      ? true
      : { from: valueIn(before, column), to: valueIn(after, column) };
  }
  if (tags) details.tagIds = { from: idsOf(tags.from), to: idsOf(tags.to) };
  return details;
}

function idsOf(tags: readonly TagRow[]): string[] {
  return tags.map(({ id }) => id);
}
