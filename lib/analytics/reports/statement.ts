/** Writes the statement of a query: a part per table that is read, added up. */
import { SqlValues, type Statement } from "#lib/platform/postgres";
import { branchesOf } from "./branches.ts";
import { unknownName } from "./filters.ts";
import { isByOwner, joinOwner } from "./owners.ts";
import type { Dimension } from "./schema.ts";
import { searchRows } from "./searching.ts";
import type { ClickSelection, ClickSource, GroupKey, Parts } from "./source.ts";

export interface StatementOptions {
  /** Includes rows with automated traffic only. */
  bots: boolean;
  /** Maximum number of rows; null: all of them. */
  limit: number | null;
  /** Only rows that contain it. */
  search?: string | undefined;
}

/** Rows of `key`, `clicks`, `visitors` and `bots`, most clicks first. */
export function writeStatement(
  selection: ClickSelection,
  source: ClickSource,
  parts: Parts,
  { bots, limit, search }: StatementOptions,
): Statement {
  const parameters = new SqlValues();
  const context = { selection, parameters, bots };
  const branches = branchesOf(context, source, parts);
  const { key } = selection;
  const nameColumn = key.by === "dimension" ? nameOf(key, parameters) : "part.key";
  const rows = `
    WITH part AS (${branches.join("\n      UNION ALL\n")}
    )
    SELECT
      ${isByOwner(key) ? "owner.pk" : nameColumn} AS key,
      sum(part.clicks)::bigint AS clicks,
      sum(part.visitors)::bigint AS visitors,
      sum(part.bots)::bigint AS bots
    FROM part
    ${joinOwner(context)}
    GROUP BY 1
    HAVING sum(part.clicks) > 0 ${bots ? "OR sum(part.bots) > 0" : ""}`;
  const found = searchRows(rows, search, selection, parameters);
  const text = `${found}
    ORDER BY clicks DESC, key
    LIMIT ${parameters.place(limit, "int")}`;
  return { text, values: parameters.list };
}

function nameOf(
  { dimension, base }: Extract<GroupKey, { by: "dimension" }>,
  parameters: SqlValues,
): string {
  const key = base ? "split_part(split_part(part.key, '#', 1), '?', 1)" : "part.key";
  return nameUnknown(dimension, parameters, key);
}

/** Unknown values have a name, which a visitor may have sent as well. */
export function nameUnknown(dimension: Dimension, parameters: SqlValues, key: string): string {
  // These values are split later.
  if (["continent", "region", "city", "domain"].includes(dimension)) return key;
  const name = unknownName(dimension);
  return `coalesce(nullif(${key}, ''), ${parameters.place(name, "text")})`;
}
