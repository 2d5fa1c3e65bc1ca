/** The audit details of an edit: fields by their API names, each with its old and new value. */
import type { TagRow } from "#lib/links/fields";
import { columnList, type LinkColumn } from "#lib/links/link-columns/schema";
import type { FoundLink } from "#lib/links/presenting";
import type { TagsChange } from "./edit.ts";

const fieldOf = new Map(columnList.map((field) => [field.column, field]));

function valueIn(row: FoundLink, column: LinkColumn, name: string): unknown {
  if (name === "domain") return row.slug;
  if (name === "folderId") return row.folder_id;
  if (name === "retiresAt") return row.retires_own ? row.retires_at : "default";
  return row[column];
}

export function fieldsChanged(
  before: FoundLink,
  after: FoundLink,
  tags: TagsChange | undefined,
  columns: readonly LinkColumn[],
): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const column of columns) {
    const { name, sealed, history = name } = fieldOf.get(column) ?? {};
    if (!history) continue;
    details[history] = sealed
      ? true
      : { from: valueIn(before, column, history), to: valueIn(after, column, history) };
  }
  if (tags) details.tagIds = { from: idsOf(tags.from), to: idsOf(tags.to) };
  return details;
}

function idsOf(tags: readonly TagRow[]): string[] {
  return tags.map(({ id }) => id);
}
