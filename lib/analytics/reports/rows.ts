/** From counted keys to presented rows. */
import { shortUrl } from "#lib/links/hosts";
import { presentId } from "#lib/platform/ids";
import type { CountedRow } from "./counts.ts";
import { unknownName } from "./filters.ts";
import {
  type CountedGroup,
  type Counters,
  type Dimension,
  dimensionOfGrouping,
  type Grouping,
  type LinkGrouping,
  linkGroupings,
  type RowGrouping,
} from "./schema.ts";
import type { GroupKey } from "./source.ts";
import {
  findFolderNames,
  findLinkSummaries,
  findSlugs,
  findTagNames,
  type LinkSummary,
} from "./store.ts";

/** Which counters are included beside the four of every row. */
export interface ShownCounters {
  unique: boolean;
  bots: boolean;
}

export function countersOf(counted: CountedRow | undefined, shown: ShownCounters): Counters {
  return {
    clicks: counted?.clicks ?? 0,
    leads: counted?.leads ?? 0,
    sales: counted?.sales ?? 0,
    saleAmount: counted?.saleAmount ?? 0,
    ...(shown.unique ? { visitors: counted?.visitors ?? 0 } : {}),
    ...(shown.bots ? { bots: counted?.bots ?? 0 } : {}),
  };
}

function isLinkGrouping(grouping: Grouping): grouping is LinkGrouping {
  return linkGroupings.some((one) => one === grouping);
}

const linkKeys = {
  top_links: { by: "link" },
  top_tags: { by: "tag" },
  top_folders: { by: "folder" },
} as const satisfies Record<LinkGrouping, GroupKey>;

/** The key that a grouping counts by. */
export function keyOfGrouping(grouping: RowGrouping): GroupKey {
  if (grouping === "event_names") return { by: "event" };
  if (isLinkGrouping(grouping)) return linkKeys[grouping];
  const dimension = dimensionOfGrouping[grouping];
  return grouping === "top_base_urls"
    ? { by: "dimension", dimension, base: true }
    : { by: "dimension", dimension };
}

/** The fields that name a value and identify its row. */
export type ValueNames = Record<string, string | null>;

/** Names the values of a grouping, in their order. Deleted objects and objects of other workspaces have none. */
export async function nameValues(
  grouping: RowGrouping,
  keys: readonly (string | number)[],
  workspacePk: number,
): Promise<(ValueNames | undefined)[]> {
  if (grouping === "top_links") {
    const faces = await findLinkSummaries(workspacePk, keys.map(Number));
    return nameThings(keys, faces, linkNames);
  }
  if (grouping === "top_tags") {
    const tags = await findTagNames(workspacePk, keys.map(Number));
    return nameThings(keys, tags, ({ id, name, color }) => ({ tagId: id, name, color }));
  }
  if (grouping === "top_folders") {
    const folders = await findFolderNames(workspacePk, keys.map(Number));
    return nameThings(keys, folders, ({ id, name }) => ({ folderId: id, name }));
  }
  if (grouping === "top_domains") {
    const slugs = await findSlugs(workspacePk, keys.map(Number));
    return nameThings(keys, slugs, ({ slug }) => ({ domain: slug }));
  }
  return keys.map((key) => nameValue(grouping, String(key)));
}

function nameThings<Thing extends { pk: number }>(
  keys: readonly (string | number)[],
  things: readonly Thing[],
  name: (thing: Thing) => ValueNames,
): (ValueNames | undefined)[] {
  const byPk = new Map(things.map((thing) => [thing.pk, thing]));
  return keys.map((key) => {
    const thing = byPk.get(Number(key));
    return thing && name(thing);
  });
}

function linkNames(link: LinkSummary): ValueNames {
  const id = presentId("link", link.id);
  return {
    link: id,
    id,
    domain: link.slug,
    key: link.key,
    shortLink: shortUrl(link.slug, link.key),
    url: link.url,
    title: link.title,
    comments: link.comments,
    folderId: link.folder_id,
    createdAt: link.created_at.toISOString(),
  };
}

const singleNames = {
  devices: "device",
  browsers: "browser",
  os: "os",
  triggers: "trigger",
  referers: "referer",
  referer_urls: "refererUrl",
  top_urls: "url",
  top_base_urls: "url",
  utm_sources: "utm_source",
  utm_mediums: "utm_medium",
  utm_campaigns: "utm_campaign",
  utm_terms: "utm_term",
  utm_contents: "utm_content",
  languages: "language",
  event_names: "eventName",
} as const;

const wholeWorld = "*";

function nameValue(
  grouping: Exclude<RowGrouping, LinkGrouping | "top_domains">,
  value: string,
): ValueNames | undefined {
  const known = (text: string, dimension: Dimension) => text || unknownName(dimension);
  if (grouping === "continents") {
    // Only the seven continents have names.
    return value === "" ? undefined : { continent: value };
  }
  if (grouping === "countries") return { country: value, region: wholeWorld, city: wholeWorld };
  if (grouping === "regions") {
    const country = known(countryOf(value), "country");
    return { country, region: known(value, "region"), city: wholeWorld };
  }
  if (grouping === "cities") {
    const slash = value.indexOf("/");
    const [place, city] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
    return {
      country: known(countryOf(place), "country"),
      region: known(place.includes("-") ? place : "", "region"),
      city: known(city, "city"),
    };
  }
  return { [singleNames[grouping]]: value };
}

/** `US-OR` → `US`; a country without region stays as it is. */
function countryOf(place: string): string {
  return place.split("-")[0] ?? "";
}

const singleFields = {
  devices: [singleNames.devices],
  browsers: [singleNames.browsers],
  os: [singleNames.os],
  triggers: [singleNames.triggers],
  referers: [singleNames.referers],
  referer_urls: [singleNames.referer_urls],
  top_urls: [singleNames.top_urls],
  top_base_urls: [singleNames.top_base_urls],
  utm_sources: [singleNames.utm_sources],
  utm_mediums: [singleNames.utm_mediums],
  utm_campaigns: [singleNames.utm_campaigns],
  utm_terms: [singleNames.utm_terms],
  utm_contents: [singleNames.utm_contents],
  languages: [singleNames.languages],
  event_names: [singleNames.event_names],
};

const linkFields = [
  "id",
  "domain",
  "key",
  "shortLink",
  "url",
  "title",
  "comments",
  "folderId",
  "createdAt",
];
const moreFields = {
  count: [],
  timeseries: ["start"],
  hours: ["weekday", "hour"],
  continents: ["continent"],
  countries: ["country"],
  regions: ["country", "region"],
  cities: ["country", "region", "city"],
  top_domains: ["domain"],
  top_links: linkFields,
  top_tags: ["tagId", "name", "color"],
  top_folders: ["folderId", "name"],
} as const satisfies Partial<Record<Grouping, readonly string[]>>;

/** The fields of a row that name its value, as columns of a table. */
export function nameFields(grouping: Grouping): readonly string[] {
  const fields: Record<Grouping, readonly string[]> = { ...moreFields, ...singleFields };
  return fields[grouping];
}

/** Rows with their names and counters; values without a name are omitted. */
export async function presentRows(
  grouping: RowGrouping,
  counted: readonly CountedRow[],
  workspacePk: number,
  shown: ShownCounters,
): Promise<CountedGroup[]> {
  const keys = counted.map(({ key }) => key);
  const names = await nameValues(grouping, keys, workspacePk);
  return counted.flatMap((one, at) => {
    const name = names[at];
    return name ? [{ ...name, ...nestedNames(name), ...countersOf(one, shown) }] : [];
  });
}

/** Tags and folders as objects too: Dub's form of these rows. */
function nestedNames({ tagId, folderId, name, color }: ValueNames): Record<string, ValueNames> {
  if (tagId && name && color) return { tag: { id: tagId, name, color } };
  return folderId && name ? { folder: { id: folderId, name } } : {};
}
