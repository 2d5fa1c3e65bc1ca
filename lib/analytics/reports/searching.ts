/** Searches among all rows of a query, including those beyond the limit of an answer. */
import { dimensionOf } from "#lib/analytics/dimensions/schema";
import type { SqlValues } from "#lib/platform/postgres";
import type { ClickSelection } from "./source.ts";

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
  const { object, prefixed } = key.by === "dimension" ? dimensionOf(key.dimension) : {};
  if (object) {
    const { table, name } = object;
    return `EXISTS (
        SELECT
        FROM ${table}
        WHERE ${table}.pk = nullif(found.key, '')::int
          AND (${table}.workspace_pk = ${workspace()} OR ${table}.workspace_pk IS NULL)
          AND ${contains(`${table}.${name}`)}
      )`;
  }
  return contains(prefixed ? "substr(found.key, strpos(found.key, '/') + 1)" : "found.key");
}
