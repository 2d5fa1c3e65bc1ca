/** The audit details of an edit: fields by the names of the API, each with its old and new value. */
import type { TagRow } from "#lib/links/fields";
import type { FoundLink } from "#lib/links/presenting";
import type { TagsChange } from "./edit.ts";

/** API names of columns that differ from the column. `alias` follows from the key. */
const fieldsOf: Readonly<Record<string, string>> = {
  domain_pk: "domain",
  folder_pk: "folderId",
  password_hash: "password",
  retires_own: "retiresAt",
};

/** Only the fact of the change is recorded. */
const secretColumns = new Set(["password_hash"]);
const silentColumns = new Set(["alias", "retired_at"]);

function fieldOf(column: string): string {
  return fieldsOf[column] ?? column.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function valueIn(row: FoundLink, column: string): unknown {
  if (column === "domain_pk") return row.slug;
  if (column === "folder_pk") return row.folder_id;
  if (fieldOf(column) === "retiresAt") return row.retires_own ? row.retires_at : "default";
  return new Map<string, unknown>(Object.entries(row)).get(column);
}

/** The details of an edit. */
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
