/** The queries that a board starts with, for pages whose HTML already contains the numbers. */
import {
  type BoardSubject,
  granularityOf,
  groupingQuery,
  parseBoardQuery,
  withinDays,
} from "./board-query.ts";
import { type BoardPart, openTabOf, tabsOf, valueCards } from "./groupings.ts";

/** The totals always include bots. */
export const totalsMore = { bots: "true" };

export const conversionsMore = { event: "composite" };

export function seriesMore(granularity: string | undefined): Record<string, string> {
  return granularity ? { granularity } : {};
}

interface FirstBoard extends BoardSubject {
  parts: readonly BoardPart[];
  without: readonly string[];
  daysMax: number | null;
  now: number;
}

/** Must build the same query text as the cards, which look up their answers by it. */
export function firstQueries(params: URLSearchParams, board: FirstBoard): readonly string[] {
  const query = withinDays(parseBoardQuery(params), board.daysMax);
  const subject = { about: board.about, zone: query.zone ?? board.zone };
  const of = (groupBy: string, more?: Record<string, string>) =>
    groupingQuery(query, subject, groupBy, more);
  const has = (part: BoardPart) => board.parts.includes(part);
  const tabs = valueCards.filter(has).flatMap((card) => {
    const open = openTabOf(tabsOf(card, board.without), params.get(card) ?? undefined);
    return open ? [of(open.groupBy)] : [];
  });
  return [
    ...(has("figures") ? [of("count", totalsMore), of("triggers")] : []),
    ...(has("conversions")
      ? [of("count", conversionsMore), of("event_names", conversionsMore)]
      : []),
    ...(has("series") ? [of("timeseries", seriesMore(granularityOf(query, board.now)))] : []),
    ...tabs,
    ...(has("hours") ? [of("hours")] : []),
  ];
}
