/** REST API v3 of Shlink 3.3 to 5: https://api-spec.shlink.io */
import { z } from "zod";
import { dateOf, type FoundLink, LinkCells, type Reading, readAs, type System } from "./system.ts";

const pageLinks = 100;

const cursorShape = z.object({ page: z.number() });
const text = z.string().nullish();
const shortUrl = z.object({
  shortCode: z.string(),
  shortUrl: z.string(),
  longUrl: z.string(),
  dateCreated: text,
  tags: z.array(z.string()).nullish(),
  meta: z.object({ validSince: text, validUntil: text, maxVisits: z.number().nullish() }).nullish(),
  domain: text,
  title: text,
  crawlable: z.boolean().nullish(),
  forwardQuery: z.boolean().nullish(),
  visitsCount: z.number().nullish(),
  visitsSummary: z.object({ total: z.number() }).nullish(),
  hasRedirectRules: z.boolean().nullish(),
  /** Until Shlink 4. */
  deviceLongUrls: z.object({ android: text, ios: text, desktop: text }).nullish(),
});
type ShortUrl = z.output<typeof shortUrl>;
const answerShape = z.object({
  shortUrls: z.object({
    data: z.array(shortUrl),
    pagination: z.object({
      currentPage: z.number(),
      pagesCount: z.number(),
      totalItems: z.number().nullish(),
    }),
  }),
});
const condition = z.object({ type: z.string(), matchKey: text, matchValue: text });
const redirectRule = z.object({
  priority: z.number().nullish(),
  longUrl: z.string(),
  conditions: z.array(condition),
});
const rulesAnswer = z.object({ redirectRules: z.array(redirectRule) });

export const shlink: System = {
  address: null,
  newestFirst: false,
  async readPage(reading, cursor) {
    const page = cursor ? cursorShape.parse(cursor).page : 1;
    const answer = await reading.api.get({
      path: "/rest/v3/short-urls",
      query: { page: String(page), itemsPerPage: String(pageLinks), orderBy: "dateCreated-ASC" },
      headers: headersOf(reading),
    });
    const { data, pagination } = readAs("shlink", answerShape, answer).shortUrls;
    const links: FoundLink[] = [];
    for (const one of data) links.push(await cellsOf(one, reading));
    return {
      links,
      next: data.length > 0 && page < pagination.pagesCount ? { page: page + 1 } : null,
      total: pagination.totalItems ?? null,
    };
  },
};

function headersOf({ token }: Reading): Record<string, string> {
  return { "x-api-key": token };
}

async function cellsOf(one: ShortUrl, reading: Reading): Promise<FoundLink> {
  const cells = new LinkCells()
    .shortLink("shlink", one.shortUrl)
    .put("url", one.longUrl)
    .title(one.title)
    .tags(one.tags ?? [])
    .put("startsAt", dateOf(one.meta?.validSince))
    .put("expiresAt", dateOf(one.meta?.validUntil))
    .put("maxClicks", one.meta?.maxVisits)
    .flag("doIndex", one.crawlable)
    .flag("forwardQuery", one.forwardQuery)
    .put("ios", one.deviceLongUrls?.ios)
    .put("android", one.deviceLongUrls?.android)
    .put("originCreatedAt", dateOf(one.dateCreated));
  if (reading.wantsClicks) cells.put("originClicks", one.visitsSummary?.total ?? one.visitsCount);
  const desktop = one.deviceLongUrls?.desktop;
  const rules: object[] = desktop ? [{ device: ["desktop"], url: desktop }] : [];
  for (const { longUrl, conditions } of one.hasRedirectRules ? await rulesOf(one, reading) : []) {
    const rule = ruleOf(longUrl, conditions);
    if (rule) rules.push(rule);
    else cells.without("rules", "unsupported");
  }
  return cells.put("rules", rules).found;
}

async function rulesOf({ shortCode, domain }: ShortUrl, reading: Reading) {
  const answer = await reading.api.get({
    path: `/rest/v3/short-urls/${encodeURIComponent(shortCode)}/redirect-rules`,
    query: domain ? { domain } : {},
    headers: headersOf(reading),
  });
  const { redirectRules } = readAs("shlink", rulesAnswer, answer);
  return redirectRules.sort((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
}

const devices: Readonly<Record<string, object>> = {
  android: { os: ["android"] },
  ios: { os: ["ios"] },
  windows: { os: ["windows"] },
  macos: { os: ["macos"] },
  linux: { os: ["linux"] },
  chromeos: { os: ["chrome os"] },
  mobile: { device: ["mobile", "tablet"] },
  desktop: { device: ["desktop"] },
};

/** Undefined for conditions that rules here do not have. */
function ruleOf(url: string, conditions: readonly z.output<typeof condition>[]) {
  let rule: Record<string, unknown> | undefined;
  for (const one of conditions) {
    const more = conditionOf(one);
    if (!more || Object.keys(more).some((name) => rule && name in rule)) return undefined;
    rule = { ...rule, ...more };
  }
  return rule && { ...rule, url };
}

function conditionOf({ type, matchValue }: z.output<typeof condition>): object | undefined {
  const value = matchValue ?? "";
  if (type === "device") return devices[value];
  if (type === "language") return { language: [value.toLowerCase()] };
  if (type === "geolocation-country-code") return { country: [value.toUpperCase()] };
  if (type === "geolocation-city-name") return { city: [value.toLowerCase()] };
  return undefined;
}
