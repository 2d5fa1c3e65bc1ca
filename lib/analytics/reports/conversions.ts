/** Counts leads and sales from the events, without rollups: there are few per thousand clicks. */
import { rawExpressions } from "#lib/analytics/rollups";
import {
  allOf,
  inRanges,
  keyOf,
  type LinkFilter,
  linkFilter,
  rawCondition,
  type StatementContext,
} from "./branches.ts";
import { parseNames } from "./filters.ts";
import type { FilterValues } from "./notation.ts";
import type { Period } from "./period.ts";
import type { ClickFilter } from "./schema.ts";

export interface Converted {
  event: "leads" | "sales" | "composite";
  verification: ClickFilter["verification"];
  saleType: ClickFilter["saleType"];
  names: FilterValues | undefined;
  period: Period;
}

export function convertedOf(request: ClickFilter, period: Period): Converted | undefined {
  const { event, verification, saleType } = request;
  if (event === "clicks") return undefined;
  return { event, verification, saleType, names: namesOf(request), period };
}

function namesOf({ eventName }: ClickFilter): FilterValues | undefined {
  return parseNames("eventName", eventName);
}

export function eventsOf(request: ClickFilter): Omit<Converted, "period"> | undefined {
  const { event, verification, saleType } = request;
  const isListed = event === "leads" || event === "sales";
  return isListed ? { event, verification, saleType, names: namesOf(request) } : undefined;
}

export function eventFilter(
  { selection, parameters }: StatementContext,
  { event, verification, saleType, names }: Omit<Converted, "period">,
): LinkFilter {
  const { values, links, workspacePk } = selection;
  const onLinks = linkFilter(links, "click.link_pk", workspacePk, parameters);
  const kinds = { leads: "NOT click.sale", sales: "click.sale", composite: undefined };
  const kind = kinds[event];
  const conditions = [
    `click.workspace_pk = ${parameters.place(workspacePk, "int")}`,
    ...values.map((condition) => rawCondition(condition, parameters)),
    ...onLinks.conditions,
    ...(kind ? [kind] : []),
    ...(names
      ? [
          `click.event_name ${names.excluded ? "<> ALL" : "= ANY"}(${parameters.place(names.values, "text[]")})`,
        ]
      : []),
    ...(verification === "all"
      ? []
      : [`(NOT click.sale OR ${verification === "verified" ? "" : "NOT "}click.verified)`]),
    ...(saleType
      ? [`(NOT click.sale OR ${saleType === "new" ? "" : "NOT "}click.first_sale)`]
      : []),
  ];
  return { joins: onLinks.joins, conditions };
}

/** Answered by conversion_workspace, or for few links by conversion_link. */
export function conversionBranch(context: StatementContext, converted: Converted): string {
  const { key } = context.selection;
  const value = key.by === "dimension" ? rawExpressions[key.dimension] : "''";
  const { joins, conditions } = eventFilter(context, converted);
  return `
      SELECT
        ${keyOf(key, { start: "click.at", value, link: "click.link_pk", grain: "slot" })} AS key,
        0 AS clicks,
        0 AS visitors,
        0 AS bots,
        CASE WHEN click.sale THEN 0 ELSE click.quantity END AS leads,
        click.sale::int AS sales,
        click.amount AS sale_amount
      FROM analytics.conversion AS click
      ${joins}
      ${inRanges("click.at", [converted.period], context.parameters)}
      ${allOf(conditions)}`;
}
