/** The cards of the page and their tabs: the grouping of each, and the filter that a click on its rows sets. */
import type { FilterName } from "./board-query.ts";

export interface BoardGrouping {
  /** In the URL, and the key of its messages. */
  tab: Tab;
  groupBy: string;
  /** The field of a row with the filter value. */
  field: string;
  filter: FilterName;
}

const cards = {
  top: [
    { tab: "links", groupBy: "top_links", field: "id", filter: "linkId" },
    { tab: "destinations", groupBy: "top_urls", field: "url", filter: "url" },
    { tab: "domains", groupBy: "top_domains", field: "domain", filter: "domain" },
    { tab: "tags", groupBy: "top_tags", field: "tagId", filter: "tagId" },
    { tab: "folders", groupBy: "top_folders", field: "folderId", filter: "folderId" },
  ],
  sources: [
    { tab: "referers", groupBy: "referers", field: "referer", filter: "referer" },
    { tab: "pages", groupBy: "referer_urls", field: "refererUrl", filter: "refererUrl" },
    { tab: "campaigns", groupBy: "utm_campaigns", field: "utm_campaign", filter: "utm_campaign" },
    { tab: "utmSources", groupBy: "utm_sources", field: "utm_source", filter: "utm_source" },
    { tab: "media", groupBy: "utm_mediums", field: "utm_medium", filter: "utm_medium" },
    { tab: "terms", groupBy: "utm_terms", field: "utm_term", filter: "utm_term" },
    { tab: "contents", groupBy: "utm_contents", field: "utm_content", filter: "utm_content" },
  ],
  places: [
    { tab: "map", groupBy: "countries", field: "country", filter: "country" },
    { tab: "countries", groupBy: "countries", field: "country", filter: "country" },
    { tab: "regions", groupBy: "regions", field: "region", filter: "region" },
    { tab: "cities", groupBy: "cities", field: "city", filter: "city" },
    { tab: "continents", groupBy: "continents", field: "continent", filter: "continent" },
  ],
  devices: [
    { tab: "devices", groupBy: "devices", field: "device", filter: "device" },
    { tab: "browsers", groupBy: "browsers", field: "browser", filter: "browser" },
    { tab: "systems", groupBy: "os", field: "os", filter: "os" },
    { tab: "languages", groupBy: "languages", field: "language", filter: "language" },
    { tab: "triggers", groupBy: "triggers", field: "trigger", filter: "trigger" },
  ],
} as const;

export type CardName = keyof typeof cards;
export type Tab = (typeof cards)[CardName][number]["tab"];

export function tabsOf(card: CardName, without: readonly string[]): readonly BoardGrouping[] {
  return cards[card].filter(({ tab }) => !without.includes(tab));
}

/** The tab with this name, or the first one. */
export function openTabOf(
  tabs: readonly BoardGrouping[],
  name: string | undefined,
): BoardGrouping | undefined {
  return tabs.find(({ tab }) => tab === name) ?? tabs[0];
}

export const valueCards = ["top", "sources", "places", "devices"] as const;

/** The parts of a board, in order; a share selects some of them. */
export const boardParts = ["figures", "series", ...valueCards, "hours", "conversions"] as const;
export type BoardPart = (typeof boardParts)[number];
