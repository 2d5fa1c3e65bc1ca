/**
 * Short.io: https://developers.short.io/reference (GET /api/domains, /api/links, /links/folders/{domainId},
 * /link_country/{linkId}, and /statistics/domain/{domainId}/link_clicks of the statistics API). Links belong to domains;
 * the cursor is the number of the domain and the token of its next page.
 */
import { z } from "zod";
import { Stopped } from "../problems.ts";
import { dateOf, type FoundLink, LinkCells, type Reading, readAs, type System } from "./system.ts";

const address = "https://api.short.io";
const statisticsAddress = "https://statistics.short.io";
/** Small, because country rules take a request per link, so a page takes seconds. */
const pageLinks = 50;

const cursorShape = z.object({
  domains: z.array(z.object({ id: z.number(), hostname: z.string() })),
  at: z.number(),
  page: z.string(),
});
const domainsAnswer = z.array(z.object({ id: z.number(), hostname: z.string() }));
const foldersAnswer = z.object({
  linkFolders: z.array(z.object({ id: z.string(), name: z.string() })),
});
const moment = z.union([z.string(), z.number()]).nullish();
const text = z.string().nullish();
const shortLink = z.object({
  idString: z.string(),
  originalURL: z.string(),
  path: z.string(),
  title: text,
  tags: z.array(z.string()).nullish(),
  FolderId: text,
  createdAt: moment,
  expiresAt: moment,
  expiredURL: text,
  clicksLimit: z.number().nullish(),
  iphoneURL: text,
  androidURL: text,
  archived: z.boolean().nullish(),
  cloaking: z.boolean().nullish(),
  redirectType: z.union([z.string(), z.number()]).nullish(),
  hasPassword: z.boolean().nullish(),
  splitURL: text,
  splitPercent: z.number().nullish(),
  utmSource: text,
  utmMedium: text,
  utmCampaign: text,
  utmTerm: text,
  utmContent: text,
  integrationAdroll: text,
  integrationFB: text,
  integrationGA: text,
  integrationGTM: text,
});
type ShortLink = z.output<typeof shortLink>;
const linksAnswer = z.object({ links: z.array(shortLink), nextPageToken: text });
const countriesAnswer = z.array(z.object({ country: z.string(), originalURL: z.string() }));
const clicksAnswer = z.record(z.string(), z.coerce.number());

export const shortIo: System = {
  address,
  newestFirst: false,
  async readPage(reading, cursor) {
    const { domains, at, page } = cursor ? cursorShape.parse(cursor) : await firstOf(reading);
    const domain = domains[at];
    if (!domain) return { links: [], next: null, total: null };
    const headers = { authorization: reading.token };
    const answer = await reading.api.get({
      path: "/api/links",
      query: {
        domain_id: String(domain.id),
        limit: String(pageLinks),
        dateSortOrder: "asc",
        ...(page ? { pageToken: page } : {}),
      },
      headers,
    });
    const { links, nextPageToken } = readAs("short-io", linksAnswer, answer);
    const folders = await foldersOf(reading, domain.id, links);
    const clicks = await clicksOf(reading, domain.id, links);
    const countries = await countriesOf(reading, links);
    const hasMore = Boolean(nextPageToken) && links.length > 0;
    const nextDomain = at + 1 < domains.length ? { domains, at: at + 1, page: "" } : null;
    return {
      links: links.map((link) => cellsOf(link, domain.hostname, { folders, clicks, countries })),
      next: hasMore ? { domains, at, page: nextPageToken } : nextDomain,
      total: null,
    };
  },
};

async function firstOf({ api, token }: Reading): Promise<z.output<typeof cursorShape>> {
  const answer = await api.get({ path: "/api/domains", headers: { authorization: token } });
  return { domains: readAs("short-io", domainsAnswer, answer), at: 0, page: "" };
}

async function foldersOf(
  { api, token }: Reading,
  domainId: number,
  links: readonly ShortLink[],
): Promise<Map<string, string>> {
  if (!links.some(({ FolderId }) => FolderId)) return new Map();
  const answer = await api.get({
    path: `/links/folders/${domainId}`,
    headers: { authorization: token },
  });
  const { linkFolders } = readAs("short-io", foldersAnswer, answer);
  return new Map(linkFolders.map(({ id, name }) => [id, name]));
}

async function clicksOf(
  { api, token, address: own, wantsClicks }: Reading,
  domainId: number,
  links: readonly ShortLink[],
): Promise<Record<string, number>> {
  if (!wantsClicks || links.length === 0) return {};
  const answer = await api.get({
    path: `/statistics/domain/${domainId}/link_clicks`,
    query: { ids: links.map(({ idString }) => idString).join(",") },
    headers: { authorization: token },
    address: own === address ? statisticsAddress : own,
  });
  return readAs("short-io", clicksAnswer, answer);
}

type Countries = Readonly<Record<string, string>>;

/** Country rules by the ids of links. Undefined if this token or plan can’t read them. */
async function countriesOf(
  { api, token }: Reading,
  links: readonly ShortLink[],
): Promise<ReadonlyMap<string, Countries> | undefined> {
  const found = new Map<string, Countries>();
  for (const { idString } of links) {
    const path = `/link_country/${encodeURIComponent(idString)}`;
    const answer = await api.get({ path, headers: { authorization: token } }).catch(orUndefined);
    if (answer === undefined) return undefined;
    const rules = readAs("short-io", countriesAnswer, answer);
    const entries = rules.map((rule) => [rule.country.toUpperCase(), rule.originalURL] as const);
    if (entries.length > 0) found.set(idString, Object.fromEntries(entries));
  }
  return found;
}

/** If reading is refused for good, the links come along without these values. */
function orUndefined(error: unknown): undefined {
  if (!(error instanceof Stopped)) throw error;
}

interface About {
  folders: ReadonlyMap<string, string>;
  clicks: Readonly<Record<string, number>>;
  countries: ReadonlyMap<string, Countries> | undefined;
}

const redirectTypes = new Set(["301", "302", "307", "308"]);

function cellsOf(link: ShortLink, hostname: string, about: About): FoundLink {
  const { folders, clicks, countries } = about;
  const type = String(link.redirectType ?? "");
  const cells = new LinkCells()
    .shortLink("short-io", `${hostname}/${link.path}`)
    .put("url", link.originalURL)
    .title(link.title)
    .tags(link.tags ?? [])
    .put("folder", folders.get(link.FolderId ?? ""))
    .flag("archived", link.archived)
    .flag("rewrite", link.cloaking)
    .put("expiresAt", dateOf(link.expiresAt))
    .put("expiredUrl", link.expiredURL)
    .put("maxClicks", link.clicksLimit || null)
    .put("ios", link.iphoneURL)
    .put("android", link.androidURL)
    .put("redirectStatus", redirectTypes.has(type) ? type : null)
    .put("testVariants", variantsOf(link))
    .put("geo", countries?.get(link.idString))
    .put("originCreatedAt", dateOf(link.createdAt))
    .put("originClicks", clicks[link.idString])
    .withoutIf(Boolean(link.integrationAdroll || link.integrationFB), "retargeting")
    .withoutIf(Boolean(link.integrationGA || link.integrationGTM), "retargeting");
  cells.put("utm_source", link.utmSource).put("utm_medium", link.utmMedium);
  cells.put("utm_campaign", link.utmCampaign).put("utm_term", link.utmTerm);
  cells.put("utm_content", link.utmContent);
  if (!countries) cells.without("rules", "not_given");
  if (link.hasPassword) cells.turnedOff();
  return cells.found;
}

/** The second destination gets `splitPercent` of the visits. */
function variantsOf({ originalURL, splitURL, splitPercent }: ShortLink) {
  if (!splitURL || !splitPercent || splitPercent < 1 || splitPercent > 99) return null;
  return [
    { url: originalURL, percentage: 100 - splitPercent },
    { url: splitURL, percentage: splitPercent },
  ];
}
