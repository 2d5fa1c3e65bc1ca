import {
  type AttributeCard,
  attributes,
  filterOf,
  listTabs,
  tabGroupingOf,
} from "#lib/analytics/dimensions/schema";
import type { FilterName } from "./board-query.ts";

export interface BoardGrouping {
  tab: Tab;
  groupBy: string;
  field: string;
  filter: FilterName;
}

const cards = {
  top: [
    { tab: "links", groupBy: "top_links", field: "id", filter: "linkId" },
    ...tabsFor("top"),
    { tab: "domains", groupBy: "top_domains", field: "domain", filter: "domain" },
    { tab: "tags", groupBy: "top_tags", field: "tagId", filter: "tagId" },
    { tab: "folders", groupBy: "top_folders", field: "folderId", filter: "folderId" },
  ],
  sources: tabsFor("sources"),
  places: [
    { tab: "map", groupBy: "countries", field: "country", filter: "country" },
    ...tabsFor("places"),
  ],
  devices: tabsFor("devices"),
} as const;

function tabsFor(card: AttributeCard) {
  return listTabs(card).map((name) => {
    const { tab } = attributes[name];
    const filter = filterOf(name);
    return { tab, groupBy: tabGroupingOf(name), field: filter, filter };
  });
}

export type CardName = keyof typeof cards;
export type Tab = (typeof cards)[CardName][number]["tab"];

export function tabsOf(card: CardName, without: readonly string[]): readonly BoardGrouping[] {
  return cards[card].filter(({ tab }) => !without.includes(tab));
}

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
