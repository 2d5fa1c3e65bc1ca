/** Writes the statement of a query: the parts of all tables, added up. */
import { type Dimension, dimensionOf } from "#lib/analytics/dimensions/schema";
import { SqlValues, type Statement } from "#lib/platform/postgres";
import { branchesOf, type StatementContext } from "./branches.ts";
import { type Converted, conversionBranch } from "./conversions.ts";
import { isByOwner, joinOwner, ownerColumn } from "./owners.ts";
import { searchRows } from "./searching.ts";
import type { ClickSelection, ClickSource, GroupKey, Parts } from "./source.ts";

export interface StatementOptions {
  bots: boolean;
  limit: number | null;
  search?: string | undefined;
  converted?: Converted | undefined;
  owners: readonly number[];
}

export function writeStatement(
  selection: ClickSelection,
  source: ClickSource,
  parts: Parts,
  { bots, limit, search, converted, owners }: StatementOptions,
): Statement {
  const parameters = new SqlValues();
  const context = { selection, parameters, bots };
  const branches = partBranches(context, source, parts, converted);
  const { key } = selection;
  const nameColumn = key.by === "dimension" ? nameOf(key, parameters) : "part.key";
  const rows = `
    WITH part AS (${branches.join("\n      UNION ALL\n")}
    )
    SELECT
      ${isByOwner(key) ? ownerColumn(key) : nameColumn} AS key, sum(part.clicks)::bigint AS clicks,
      sum(part.visitors)::bigint AS visitors,
      sum(part.bots)::bigint AS bots${converted ? conversionSums : ""}
    FROM part
    ${joinOwner(context, owners)}
    GROUP BY 1
    HAVING sum(part.clicks) > 0
      ${bots ? "OR sum(part.bots) > 0" : ""}
      ${converted ? "OR sum(part.leads) > 0 OR sum(part.sales) > 0" : ""}`;
  const found = searchRows(rows, search, selection, parameters);
  const text = `${found}
    ORDER BY ${orders[converted?.event ?? "clicks"]}, key
    LIMIT ${parameters.place(limit, "int")}`;
  return { text, values: parameters.list };
}

const conversionSums = `,
      sum(part.leads)::bigint AS leads,
      sum(part.sales)::bigint AS sales,
      sum(part.sale_amount)::bigint AS "saleAmount"`;

const orders = {
  clicks: "clicks DESC",
  leads: "leads DESC",
  sales: '"saleAmount" DESC, sales DESC',
  composite: 'clicks DESC, "saleAmount" DESC, leads DESC',
} as const;

function partBranches(
  context: StatementContext,
  source: ClickSource,
  parts: Parts,
  converted: Converted | undefined,
): string[] {
  if (!converted) return branchesOf(context, source, parts);
  const hasClicks = converted.event === "composite" && context.selection.key.by !== "event";
  const clicks = hasClicks ? branchesOf(context, source, parts) : [];
  const widened = clicks.map(
    (branch) => `
      SELECT *, 0 AS leads, 0 AS sales, 0::bigint AS sale_amount
      FROM (${branch}
      ) AS counted`,
  );
  return [...widened, conversionBranch(context, converted)];
}

function nameOf(
  { dimension, base }: Extract<GroupKey, { by: "dimension" }>,
  parameters: SqlValues,
): string {
  const key = base ? "split_part(split_part(part.key, '#', 1), '?', 1)" : "part.key";
  return nameUnknown(dimension, parameters, key);
}

/** Merges unknown values with the name shown for them, because visitors may have sent that name too. */
export function nameUnknown(dimension: Dimension, parameters: SqlValues, key: string): string {
  const { unknown, keepsUnknown } = dimensionOf(dimension);
  if (keepsUnknown) return key;
  return `coalesce(nullif(${key}, ''), ${parameters.place(unknown, "text")})`;
}
