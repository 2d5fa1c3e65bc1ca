/** Rows of a query that contain a text, among all of its rows: also of those beyond the limit of an answer. */
import type { SqlValues } from "#lib/platform/postgres";
import type { ClickSelection } from "./source.ts";

/** Wraps a statement whose rows have a `key`; the counters stay those of each row. */
export function searchRows(
  statement: string,
  search: string | undefined,
  { key, workspacePk }: ClickSelection,
  parameters: SqlValues,
): string {
  if (!search) return statement;
  const text = `lower(${parameters.place(search, "text")})`;
  return `
    SELECT found.*
    FROM (${statement}
    ) AS found
    WHERE ${conditionOf(key, text, () => parameters.place(workspacePk, "int"))}`;
}

/** Answered by the primary keys of the objects. */
function conditionOf(key: ClickSelection["key"], text: string, workspace: () => string): string {
  const contains = (column: string) => `strpos(lower(${column}), ${text}) > 0`;
  if (key.by === "link") {
    return `EXISTS (
        SELECT
        FROM link
        JOIN domain ON domain.pk = link.domain_pk
        WHERE link.pk = found.key
          AND link.workspace_pk = ${workspace()}
          AND (${contains("domain.slug || '/' || link.key")} OR ${contains("coalesce(link.title, '')")})
      )`;
  }
  if (key.by === "tag" || key.by === "folder") {
    return `EXISTS (
        SELECT
        FROM ${key.by} AS owner
        WHERE owner.pk = found.key
          AND owner.workspace_pk = ${workspace()}
          AND ${contains("owner.name")}
      )`;
  }
  if (key.by === "dimension" && key.dimension === "domain") {
    return `EXISTS (
        SELECT
        FROM domain
        WHERE domain.pk = nullif(found.key, '')::int
          AND (domain.workspace_pk = ${workspace()} OR domain.workspace_pk IS NULL)
          AND ${contains("domain.slug")}
      )`;
  }
  // The name of a city follows its region.
  const isCity = key.by === "dimension" && key.dimension === "city";
  return contains(isCity ? "substr(found.key, strpos(found.key, '/') + 1)" : "found.key");
}
