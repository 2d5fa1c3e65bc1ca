/** The cards of the page and their tabs: which grouping each shows, and which filter a click on its rows sets. */
import type { FilterName } from "./asked.ts";

export interface Grouping {
  /** In the address bar, and the key of its words. */
  tab: Tab;
  groupBy: string;
  /** Of a row: what the filter takes. */
  field: string;
  filter: FilterName;
}

export const cards = {
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

/** Everything a board can show, in its order; a share names those that it shows. */
export const boardParts = [
  "figures",
  "series",
  "top",
  "sources",
  "places",
  "devices",
  "hours",
] as const;
export type BoardPart = (typeof boardParts)[number];
