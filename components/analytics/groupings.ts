import {
  type AttributeCard,
  attributeNames,
  attributeOf,
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

export interface FilterChoice extends Omit<BoardGrouping, "tab"> {
  /** Whether its values are ids, which nobody types. */
  isObject: boolean;
  /** Whether it may have more values than one answer contains. Other filters are searched by their translated names. */
  isSearched: boolean;
  /** Additional parameters for the query of its values. */
  more: Readonly<Record<string, string>>;
  /** Normalizes a typed value to the spelling of recorded clicks. */
  spell: (text: string) => string;
}

const objects: readonly FilterName[] = ["linkId", "tagId", "folderId"];
const goals = { groupBy: "event_names", field: "eventName", filter: "eventName" } as const;

/** The available filters: the values of all cards on the board, each listed once. */
export function filterChoices(
  parts: readonly BoardPart[],
  without: readonly string[],
): readonly FilterChoice[] {
  const groupings = valueCards
    .filter((card) => parts.includes(card))
    .flatMap((card) => tabsOf(card, without));
  const byFilter = new Map(
    groupings.map(({ groupBy, field, filter }): [FilterName, FilterChoice] => {
      const isObject = objects.includes(filter);
      const name = attributeNames.find((one) => filterOf(one) === filter);
      const { wide = true, spell = keep } = name ? attributeOf(name) : {};
      return [filter, { groupBy, field, filter, isObject, isSearched: wide, more: {}, spell }];
    }),
  );
  const all: FilterChoice[] = [...byFilter.values()];
  return parts.includes("conversions")
    ? [
        ...all,
        { ...goals, isObject: false, isSearched: false, more: { event: "composite" }, spell: keep },
      ]
    : all;
}

function keep(text: string): string {
  return text;
}
