import { z } from "zod";
import {
  agreeing,
  oneCursor,
  pageBesideCursorsOf,
  pageOrCursor,
  pageSizeOf,
} from "#lib/basics/fields/schema";
import type { BrokenState } from "#lib/links/destination-checks/schema";
import { keyCharsMax, type Link, names } from "#lib/links/fields/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

const searchCharsMax = 200;
const filterCharsMax = 255;
/** A URL in a query must fit into a request line. */
const urlFilterCharsMax = 8_000;
const pageSizeMax = 100;
const pageMax = 1_000;

/** The default is text, as it is sent. */
const flag = z.stringbool().prefault("false");
const filterText = z.string().trim().max(filterCharsMax);

/** A key may be percent-encoded. */
const keyText = z
  .string()
  .trim()
  .max(2 * keyCharsMax);

export const linkStatuses = [
  "active",
  "expired",
  "scheduled",
  "disabled",
  "archived",
  "retiring",
  "retired",
  "broken",
] as const;
export type LinkStatus = (typeof linkStatuses)[number];

export const linkFeatures = ["password", "test", "rules"] as const;
export type LinkFeature = (typeof linkFeatures)[number];

function createdBound(description: string) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: "Use a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.",
    })
    .optional()
    .describe(`${description} A date is a day in the time zone of the workspace.`);
}

/** As a folder id, it stands for links without a folder. */
export const noFolder = "none";

const linkFilters = {
  domain: filterText.toLowerCase().optional().describe("Only links of this domain."),
  key: keyText.optional().describe("Only links with this slug; send the domain too."),
  url: z
    .string()
    .trim()
    .max(urlFilterCharsMax)
    .optional()
    .describe("Only links to exactly this destination."),
  externalId: filterText.optional().describe("Only the link with this id of your system."),
  tenantId: filterText.optional().describe("Only links of this customer of yours."),
  userId: filterText.optional().describe("Only links that this member created."),
  folderId: filterText
    .optional()
    .describe(`Only links of this folder; \`${noFolder}\`: only links without a folder.`),
  tagId: filterText.optional().describe("Only links with this tag."),
  tagIds: names.optional().describe("Only links with one of these tags: ids, separated by commas."),
  tagNames: names.optional().describe("Only links with one of these tags, by their names."),
  withTags: flag.describe("true: only links that have a tag."),
  showArchived: flag.describe("true: archived links are included."),
  status: z
    .enum(linkStatuses)
    .optional()
    .describe(
      "active: visits reach the destination. expired: past its expiration date, or its click limit is used up. scheduled: not started yet. disabled: turned off. archived: only archived links. retiring: retires within 30 days. retired: visits get 410 until the link is deleted; no other list contains these. broken: the destination failed two checks in a row, at least an hour apart.",
    ),
  feature: z
    .enum(linkFeatures)
    .optional()
    .describe(
      "Only links with a password, an A/B test, or rules (including destinations by device or country).",
    ),
  createdAfter: createdBound("Only links created at this time or later."),
  createdBefore: createdBound("Only links created before this time; a day is included."),
  apiKeyId: filterText.optional().describe("Only links created with this API key."),
  importId: filterText
    .optional()
    .describe("Only links created by this import, while its results are kept."),
  campaignId: filterText.optional().describe("Only links of this campaign."),
  clicked: z
    .stringbool()
    .optional()
    .describe("true: only links with clicks. false: only links without clicks."),
  search: z
    .string()
    .trim()
    .max(searchCharsMax)
    .optional()
    .describe(
      "Part of the slug, destination, title or comments, or the complete slug, URL, short link, id or externalId. Links created with an API key are found by parts within about a minute. Recipients’ links, and on very large workspaces all but the newest links of API keys (1,000,000 unless the instance sets another number), are found by complete values only. In workspaces with more than 524,288 links, a term needs three letters or digits in a row, or another character; otherwise only exact matches are found, or the answer is 422.",
    ),
  searchMode: z
    .enum(["fuzzy", "exact"])
    .default("fuzzy")
    .describe("exact: `search` is the complete key, URL, short link, id or externalId."),
};

const linkFiltersObject = z.object(linkFilters);
export type LinkFilters = z.output<typeof linkFiltersObject>;

/** In a very large workspace, finding this term would mean reading all links. */
export const termTooShort = "search_term_too_short";

export const listLinksQuery = linkFiltersObject
  .extend({
    sort: z.enum(["createdAt", "clicks", "lastClicked"]).optional().describe("Alias of `sortBy`."),
    sortBy: z
      .enum(["createdAt", "clicks", "lastClicked", "saleAmount"])
      .optional()
      .describe("Defaults to createdAt."),
    sortOrder: z.enum(["asc", "desc"]).default("desc").describe("desc: newest or most first."),
    page: pageBesideCursorsOf(pageMax),
    pageSize: pageSizeOf(pageSizeMax),
    startingAfter: filterText.optional().describe("Id of the last link of the page before."),
    endingBefore: filterText.optional().describe("Id of the first link of the page after."),
  })
  .refine(...agreeing("sortBy", "sort"))
  .refine(...oneCursor)
  .refine(...pageOrCursor);

export type ListLinks = z.output<typeof listLinksQuery>;

export const exportLinksQuery = linkFiltersObject.extend({
  linkIds: names.optional().describe("Comma-separated link ids, up to 1,000."),
  format: recordFormat,
});
export type ExportLinks = z.output<typeof exportLinksQuery>;

/** Longer lists have no exact total. */
export const exactTotalMax = 10_000;

export const countLinksQuery = linkFiltersObject.extend({
  groupBy: z
    .enum(["domain", "tagId", "userId", "folderId"])
    .optional()
    .describe("Counts the links of each value."),
});

export type CountLinks = z.output<typeof countLinksQuery>;

/** One row per group. A link without user or folder is counted under null. */
export const linkCounts = z.array(
  z.union([
    z.object({ domain: z.string(), _count: z.number() }),
    z.object({ tagId: z.string(), _count: z.number() }),
    z.object({ userId: z.string().nullable(), _count: z.number() }),
    z.object({ folderId: z.string().nullable(), _count: z.number() }),
  ]),
);

export type LinkCounts = z.output<typeof linkCounts>;

export const linkInfoQuery = z
  .object({
    linkId: filterText.optional().describe("The id of the link."),
    externalId: filterText.optional().describe("The id of the link in your system."),
    domain: filterText.toLowerCase().optional().describe("The domain of the link."),
    key: keyText.optional().describe("Defaults to `_root`, the root link of the domain."),
  })
  .refine((query) => identifierCount(query) === 1, {
    message: "Use exactly one of linkId, externalId, or domain with key.",
  })
  .refine(({ domain, key }) => domain || !key, { message: "Use domain and key together." });

export type LinkInfo = z.output<typeof linkInfoQuery>;

function identifierCount({ linkId, externalId, domain, key }: Record<string, string | undefined>) {
  return [linkId, externalId, domain || key].filter(Boolean).length;
}

export type ListedLink = Link & { loops?: boolean; broken?: BrokenState };

export const leadingLinksMax = 100;
