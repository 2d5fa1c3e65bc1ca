/** Turns counted keys into presented rows. */
import {
  type AttributeGrouping,
  attributeOfGrouping,
  fieldsOf,
  nameValue,
  type ValueNames,
} from "#lib/analytics/dimensions/schema";
import { presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import type { CountedRow } from "./counts.ts";
import {
  type CountedGroup,
  type Counters,
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

export function keyOfGrouping(grouping: RowGrouping): GroupKey {
  if (grouping === "event_names") return { by: "event" };
  if (isLinkGrouping(grouping)) return linkKeys[grouping];
  const dimension = dimensionOfGrouping[grouping];
  return grouping === "top_base_urls"
    ? { by: "dimension", dimension, base: true }
    : { by: "dimension", dimension };
}

/** In the order of the keys. Deleted objects and those of other workspaces have no name. */
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
  if (grouping === "event_names") return keys.map((key) => ({ eventName: String(key) }));
  const attribute = attributeOfGrouping[grouping];
  return keys.map((key) => nameValue(attribute, String(key)));
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
const otherFields = {
  count: [],
  timeseries: ["start"],
  hours: ["weekday", "hour"],
  event_names: ["eventName"],
  top_domains: ["domain"],
  top_links: linkFields,
  top_tags: ["tagId", "name", "color"],
  top_folders: ["folderId", "name"],
} as const satisfies Record<Exclude<Grouping, AttributeGrouping>, readonly string[]>;

function isOfAttribute(grouping: Grouping): grouping is AttributeGrouping {
  return Object.hasOwn(attributeOfGrouping, grouping);
}

export function nameFields(grouping: Grouping): readonly string[] {
  return isOfAttribute(grouping) ? fieldsOf(attributeOfGrouping[grouping]) : otherFields[grouping];
}

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

/** Dub also returns tags and folders as objects. */
function nestedNames({ tagId, folderId, name, color }: ValueNames): Record<string, ValueNames> {
  if (tagId && name && color) return { tag: { id: tagId, name, color } };
  return folderId && name ? { folder: { id: folderId, name } } : {};
}
