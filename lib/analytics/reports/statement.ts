/** Writes the statement of a query: a part per table that is read, added up. */
import { type Statement, Values } from "#lib/platform/postgres";
import { branchesOf } from "./branches.ts";
import { unknownName } from "./filters.ts";
import { isOwned, joinOwner } from "./owners.ts";
import type { Dimension } from "./schema.ts";
import type { Parts, Question, Source } from "./source.ts";

export interface Shape {
  /** Includes rows with automated traffic only. */
  bots: boolean;
  /** Maximum number of rows; null: all of them. */
  limit: number | null;
}

/** Rows of `key`, `clicks`, `visitors` and `bots`, most clicks first. */
export function writeStatement(
  question: Question,
  source: Source,
  parts: Parts,
  { bots, limit }: Shape,
): Statement {
  const parameters = new Values();
  const writing = { question, parameters, bots };
  const branches = branchesOf(writing, source, parts);
  const { key } = question;
  const named =
    key.by === "dimension" ? nameUnknown(key.dimension, parameters, "part.key") : "part.key";
  const text = `
    WITH part AS (${branches.join("\n      UNION ALL\n")}
    )
    SELECT
      ${isOwned(key) ? "owner.pk" : named} AS key,
      sum(part.clicks)::bigint AS clicks,
      sum(part.visitors)::bigint AS visitors,
      sum(part.bots)::bigint AS bots
    FROM part
    ${joinOwner(writing)}
    GROUP BY 1
    HAVING sum(part.clicks) > 0 ${bots ? "OR sum(part.bots) > 0" : ""}
    ORDER BY clicks DESC, key
    LIMIT ${parameters.place(limit, "int")}`;
  return { text, values: parameters.list };
}

/** Unknown values have a name, which a visitor may have sent as well. */
export function nameUnknown(dimension: Dimension, parameters: Values, key: string): string {
  // These values are split later.
  if (["continent", "region", "city", "domain"].includes(dimension)) return key;
  const name = unknownName(dimension);
  return `coalesce(nullif(${key}, ''), ${parameters.place(name, "text")})`;
}
