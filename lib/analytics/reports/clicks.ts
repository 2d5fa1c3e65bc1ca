/** Reads the single clicks of a query. */
import { type ClickColumn, clickColumns, type Dimension } from "#lib/analytics/dimensions/schema";
import type { Range } from "#lib/analytics/period-cover";
import { type ClickField, type ClicksRead, clicksOf } from "#lib/analytics/single-clicks";
import type { SqlValues } from "#lib/platform/postgres";
import type { Conditions, LinkCondition, ValueCondition } from "./filters.ts";

/** The columns of a click that the expression of a dimension reads. */
export function columnsOf(dimension: Dimension): ClickField[] {
  if (dimension === "domain") return ["domain_pk"];
  if (dimension === "trigger") return ["qr"];
  if (dimension === "city") return ["city", "region", "country"];
  return [dimension];
}

export interface ClickConditions extends Conditions {
  workspacePk: number;
}

/** Several ranges are read one by one, so that nothing between them is. */
export function clicksIn(
  ranges: readonly Range[],
  fields: readonly ClickField[],
  conditions: ClickConditions,
  parameters: SqlValues,
): string {
  const [one] = ranges;
  if (ranges.length === 1 && one) {
    return clicksOf(readOf(fields, conditions, placeRange(one, parameters), parameters));
  }
  const moments = (pick: (range: Range) => number) =>
    parameters.place(
      ranges.map((range) => new Date(pick(range))),
      "timestamptz[]",
    );
  const pieces = `unnest(${moments(({ from }) => from)}, ${moments(({ until }) => until)})`;
  const piece = { from: "piece.begin", until: "piece.until" };
  return `${pieces} AS piece (begin, until)
      CROSS JOIN LATERAL ${clicksOf(readOf(fields, conditions, piece, parameters))}`;
}

export function placeRange({ from, until }: Range, parameters: SqlValues) {
  const place = (at: number) => parameters.place(new Date(at), "timestamptz");
  return { from: place(from), until: place(until) };
}

/** Its conditions on links only spare work: the statement applies all of them. Its values are applied here. */
export function readOf(
  fields: readonly ClickField[],
  { workspacePk, values, links }: ClickConditions,
  period: { from: string; until: string },
  parameters: SqlValues,
): ClicksRead {
  return {
    fields,
    workspace: parameters.place(workspacePk, "int"),
    ...period,
    ...onlyLinks(links, parameters),
    values: values.flatMap((condition) => {
      const column = columnNamed(condition);
      if (!column) return [];
      const list = parameters.place(condition.values, "text[]");
      return [{ column, list, isOne: condition.values.length === 1 }];
    }),
  };
}

/** The conditions that the statement applies itself. */
export function withoutNamed(values: readonly ValueCondition[]): ValueCondition[] {
  return values.filter((condition) => !columnNamed(condition));
}

function onlyLinks(
  links: readonly LinkCondition[],
  parameters: SqlValues,
): Pick<ClicksRead, "link" | "links"> {
  const named = links.find(({ by, excluded }) => by === "pk" && !excluded);
  if (!named) return {};
  const [one, ...others] = named.values;
  return one !== undefined && others.length === 0
    ? { link: parameters.place(one, "bigint") }
    : { links: parameters.place(named.values, "bigint[]") };
}

/** The column that has one of these values, which are all known. */
function columnNamed({ dimension, values, excluded }: ValueCondition): ClickColumn | undefined {
  if (excluded || values.includes("")) return undefined;
  return clickColumns.find((name) => name === dimension);
}
