/**
 * The APIs of other link shorteners as local servers. They follow the public documentation, as of 2026-11:
 *
 * - Bitly: https://dev.bitly.com/api-reference/ (v4: getGroups, getBitlinksByGroup with `search_after`,
 *   getClicksSummaryForBitlink)
 * - Short.io: https://developers.short.io/reference (GET /api/domains, GET /api/links with `pageToken`,
 *   GET /links/folders/{domainId}, GET /link_country/{linkId}, GET /statistics/domain/{domainId}/link_clicks)
 * - Rebrandly: https://developers.rebrandly.com/docs/list-links (v1, `limit` and `last`) and /docs/workspaces
 * - Dub: https://dub.co/docs/api-reference/links/list (`startingAfter`) and /folders/list
 * - YOURLS: https://yourls.org/docs/guide/advanced/passwordless-api and yourls_api_stats of YOURLS 1.10
 * - Shlink: https://api-spec.shlink.io (REST v3 of Shlink 4: listShortUrls, listShortUrlRedirectRules)
 */
import type { IncomingMessage } from "node:http";
import type { SystemName } from "#lib/transfer/importers/schema";

export const goodToken = "good-token";

/** What all systems know of a link. Number 1 is the oldest. */
export interface SampleLink {
  number: number;
  key: string;
  url: string;
  title: string;
  createdAt: Date;
  clicks: number;
}

const hourMs = 3_600_000;
const firstAt = Date.UTC(2020, 0, 1);

export function sampleLinks(count: number, prefix = "key"): SampleLink[] {
  return Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    key: `${prefix}-${at + 1}`,
    url: `https://example.com/${at + 1}?utm_source=print`,
    title: `Link ${at + 1}, "quoted"`,
    createdAt: new Date(firstAt + at * hourMs),
    clicks: (at + 1) * 3,
  }));
}

export interface Call {
  path: string;
  query: URLSearchParams;
  /** The fields of a form. */
  form: URLSearchParams;
  headers: IncomingMessage["headers"];
}

export type Extras = Record<number, object>;
type Answer = (call: Call, links: readonly SampleLink[], host: string, extras: Extras) => unknown;

const hasBearer = ({ headers }: Call) => headers.authorization === `Bearer ${goodToken}`;

export const mayRead: Record<SystemName, (call: Call) => boolean> = {
  bitly: hasBearer,
  "short-io": ({ headers }) => headers.authorization === goodToken,
  rebrandly: ({ headers }) => headers["apikey"] === goodToken,
  dub: hasBearer,
  yourls: ({ form }) => form.get("signature") === goodToken,
  shlink: ({ headers }) => headers["x-api-key"] === goodToken,
};

/** A page of links in a direction, after an offset. */
function pageOf<Link>(links: readonly Link[], from: number, size: number): Link[] {
  return links.slice(from, from + size);
}

export const answers: Record<SystemName, Answer> = {
  bitly({ path, query }, links, host, extras) {
    if (path === "/v4/groups") {
      return { groups: [{ guid: "Bk1", name: "acme", is_active: true, bsds: [host] }] };
    }
    const [, clicked] = /^\/v4\/bitlinks\/(.+)\/clicks\/summary$/.exec(path) ?? [];
    if (clicked) {
      const key = clicked.split("/")[1];
      const clicks = links.find((one) => one.key === key)?.clicks ?? 0;
      return { unit_reference: "2026-11-01T00:00:00+0000", total_clicks: clicks, units: -1 };
    }
    if (path !== "/v4/groups/Bk1/bitlinks") return undefined;
    const size = Math.min(Number(query.get("size")), 100);
    const from = Number(query.get("search_after") ?? 0);
    const page = pageOf(links.toReversed(), from, size);
    const isLast = from + page.length >= links.length;
    return {
      links: page.map(({ number, key, url, title, createdAt }) => ({
        created_at: createdAt.toISOString().replace(".000Z", "+0000"),
        id: `${host}/${key}`,
        link: `https://${host}/${key}`,
        custom_bitlinks: [],
        long_url: url,
        title,
        archived: false,
        tags: ["print", "spring 2020"],
        deeplinks: [],
        references: {},
        ...extras[number],
      })),
      pagination: { next: "", size, search_after: isLast ? "" : String(from + page.length) },
    };
  },
  "short-io"({ path, query }, links, host, extras) {
    if (path === "/api/domains") return [{ id: 42, hostname: host, state: "configured" }];
    if (path === "/links/folders/42") return { linkFolders: [{ id: "f1", name: "Campaigns" }] };
    if (path === "/statistics/domain/42/link_clicks") {
      const ids = query.get("ids")?.split(",") ?? [];
      const found = links.filter(({ number }) => ids.includes(`lnk_${number}`));
      return Object.fromEntries(found.map(({ number, clicks }) => [`lnk_${number}`, clicks]));
    }
    const [, countriesOf] = /^\/link_country\/lnk_(\d+)$/.exec(path) ?? [];
    if (countriesOf) return shortCountries(extras[Number(countriesOf)]);
    if (path !== "/api/links" || query.get("domain_id") !== "42") return undefined;
    const from = Number(query.get("pageToken") ?? 0);
    const page = pageOf(links, from, Math.min(Number(query.get("limit")), 150));
    const isLast = from + page.length >= links.length;
    return {
      count: page.length,
      links: page.map(({ number, key, url, title, createdAt }) => ({
        id: `lnk_${number}`,
        idString: `lnk_${number}`,
        originalURL: url,
        path: key,
        DomainId: 42,
        shortURL: `http://${host}/${key}`,
        secureShortURL: `https://${host}/${key}`,
        title,
        tags: ["print"],
        createdAt: createdAt.toISOString(),
        archived: false,
        cloaking: false,
        hasPassword: false,
        redirectType: null,
        expiresAt: null,
        ...extras[number],
      })),
      nextPageToken: isLast ? null : String(from + page.length),
    };
  },
  rebrandly({ path, query, headers }, links, host, extras) {
    if (path === "/v1/workspaces") return [{ id: "w1", name: "Main" }];
    if (path !== "/v1/links" || headers["workspace"] !== "w1") return undefined;
    const last = query.get("last");
    const from = last ? links.findIndex(({ number }) => last === `id-${number}`) + 1 : 0;
    const page = pageOf(links, from, Math.min(Number(query.get("limit")), 25));
    return page.map(({ number, key, url, title, createdAt, clicks }) => ({
      id: `id-${number}`,
      title,
      slashtag: key,
      destination: url,
      createdAt: createdAt.toISOString(),
      updatedAt: createdAt.toISOString(),
      shortUrl: `${host}/${key}`,
      domain: { id: "d1", ref: "/domains/d1", fullName: host, active: true },
      clicks,
      tags: [{ id: "t1", name: "print", color: "ff0000" }],
      favourite: false,
      forwardParameters: false,
      ...extras[number],
    }));
  },
  dub({ path, query }, links, host, extras) {
    if (path === "/folders") return [{ id: "fold_1", name: "Campaigns", accessLevel: "write" }];
    if (path !== "/links") return undefined;
    const after = query.get("startingAfter");
    const from = after ? links.findIndex(({ number }) => after === `link_${number}`) + 1 : 0;
    const page = pageOf(links, from, Math.min(Number(query.get("pageSize")), 100));
    return page.map(({ number, key, url, title, createdAt, clicks }) => ({
      id: `link_${number}`,
      domain: host,
      key,
      url,
      shortLink: `https://${host}/${key}`,
      qrCode: `https://api.dub.co/qr?url=https://${host}/${key}`,
      externalId: null,
      archived: false,
      expiresAt: null,
      password: null,
      proxy: false,
      title,
      description: null,
      image: null,
      geo: null,
      tags: [{ id: "tag_1", name: "print", color: "red" }],
      folderId: null,
      webhookIds: [],
      utm_source: "print",
      clicks,
      leads: 0,
      sales: 0,
      saleAmount: 0,
      createdAt: createdAt.toISOString(),
      updatedAt: createdAt.toISOString(),
      ...extras[number],
    }));
  },
  yourls({ path, form }, links, host, extras) {
    if (path !== "/yourls-api.php" || form.get("action") !== "stats") return undefined;
    const from = Number(form.get("start"));
    const page = pageOf(links.toReversed(), from, Number(form.get("limit")));
    const found = page.map(({ number, key, url, title, createdAt, clicks }, at) => [
      `link_${at + 1}`,
      {
        shorturl: `http://${host}/${key}`,
        url,
        title,
        timestamp: createdAt.toISOString().slice(0, 19).replace("T", " "),
        ip: "203.0.113.7",
        clicks: String(clicks),
        ...extras[number],
      },
    ]);
    return {
      ...(found.length > 0 ? { links: Object.fromEntries(found) } : {}),
      stats: { total_links: String(links.length), total_clicks: "1" },
      statusCode: 200,
      message: "success",
    };
  },
  shlink({ path, query }, links, host, extras) {
    if (/^\/rest\/v3\/short-urls\/[^/]+\/redirect-rules$/.test(path)) {
      return { defaultLongUrl: links[0]?.url, redirectRules: shlinkRules };
    }
    if (path !== "/rest/v3/short-urls") return undefined;
    const page = Number(query.get("page"));
    const size = Number(query.get("itemsPerPage"));
    const data = pageOf(links, (page - 1) * size, size);
    const pagination = {
      currentPage: page,
      pagesCount: Math.ceil(links.length / size),
      itemsPerPage: size,
      itemsInCurrentPage: data.length,
      totalItems: links.length,
    };
    return {
      shortUrls: {
        data: data.map(({ number, key, url, title, createdAt, clicks }) => ({
          shortCode: key,
          shortUrl: `https://${host}/${key}`,
          longUrl: url,
          dateCreated: createdAt.toISOString().replace(".000Z", "+00:00"),
          tags: ["print"],
          meta: { validSince: null, validUntil: null, maxVisits: null },
          domain: null,
          title,
          crawlable: false,
          forwardQuery: true,
          hasRedirectRules: false,
          visitsSummary: { total: clicks, nonBots: clicks, bots: 0 },
          ...extras[number],
        })),
        pagination,
      },
    };
  },
};

/** The rules of a link, whose extras have `countries`. */
function shortCountries(extra: object = {}): object[] {
  const countries = "countries" in extra ? Object.entries(Object(extra.countries)) : [];
  return countries.map(([country, originalURL], at) => ({
    id: at + 1,
    country,
    originalURL,
    createdAt: "2020-06-01T10:37:18.000Z",
    updatedAt: "2020-06-01T10:37:18.000Z",
  }));
}

const shlinkRules = [
  {
    priority: 2,
    longUrl: "https://example.com/german",
    conditions: [{ type: "language", matchKey: null, matchValue: "de-DE" }],
  },
  {
    priority: 1,
    longUrl: "https://example.com/ios",
    conditions: [
      { type: "device", matchKey: null, matchValue: "ios" },
      { type: "geolocation-country-code", matchKey: null, matchValue: "FR" },
    ],
  },
  {
    priority: 3,
    longUrl: "https://example.com/query",
    conditions: [{ type: "query-param", matchKey: "a", matchValue: "b" }],
  },
];
