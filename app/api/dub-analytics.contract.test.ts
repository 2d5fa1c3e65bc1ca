/** Analytics through Dub's SDK, which rejects any unexpected response. */
import { Dub } from "dub";
import * as parts from "dub/models/components";
import readWorkbook from "read-excel-file/node";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { groupings, groupingsMax } from "#lib/analytics/reports/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import {
  apiKey,
  apiUrl,
  call,
  expectError,
  makeLink,
  origin,
  runSuffix,
} from "../../test/contract-server.ts";
import { readCsv } from "../../test/csv.ts";
import { type HttpAnswer, send } from "../../test/http-client.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });
const visits = 5;
const waitMs = 300_000;

let tag: { id: string; name: string; color: string };
let folder: { id: string; name: string };
let link: { id: string; key: string; domain: string };
const shortLink = () => `${origin.origin}/${link.key}`;

function visit(headers: Record<string, string>, query = ""): Promise<HttpAnswer> {
  return send(`${shortLink()}${query}`, { headers });
}

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

beforeAll(async () => {
  ({ body: tag } = await call("POST", "/tags", { name: `Tag ${runSuffix}`, color: "blue" }));
  ({ body: folder } = await call("POST", "/folders", { name: `Folder ${runSuffix}` }));
  const url = `https://shop.example.com/${runSuffix}?utm_source=letter`;
  link = await makeLink({
    url,
    key: `Zähler-${runSuffix}`,
    // Other tests change the default domain.
    domain: origin.hostname,
    externalId: `count-${runSuffix}`,
    title: "Titel",
    tagIds: [tag.id],
  });
  await call("PATCH", `/links/${link.id}`, { folderId: folder.id });
  const person = { "User-Agent": browser, "Accept-Language": "de-DE,de" };
  await visit({ ...person, Referer: "https://news.example/today" });
  await visit(person, "?qr=1");
  for (let more = 2; more < visits; more++) await visit(person);
  await visit({ "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await vi.waitFor(async () => {
    const { body } = await call("GET", `/analytics?linkId=${link.id}&bots=true`);
    expect([body.clicks, body.bots]).toEqual([visits, 1]);
  }, waitMs);
}, 2 * waitMs);

const dubSchemas = {
  count: parts.AnalyticsCount$inboundSchema,
  timeseries: parts.AnalyticsTimeseries$inboundSchema,
  continents: parts.AnalyticsContinents$inboundSchema,
  countries: parts.AnalyticsCountries$inboundSchema,
  regions: parts.AnalyticsRegions$inboundSchema,
  cities: parts.AnalyticsCities$inboundSchema,
  devices: parts.AnalyticsDevices$inboundSchema,
  browsers: parts.AnalyticsBrowsers$inboundSchema,
  os: parts.AnalyticsOS$inboundSchema,
  triggers: parts.AnalyticsTriggers$inboundSchema,
  referers: parts.AnalyticsReferers$inboundSchema,
  referer_urls: parts.AnalyticsRefererUrls$inboundSchema,
  top_links: parts.AnalyticsTopLinks$inboundSchema,
  top_urls: parts.AnalyticsTopUrls$inboundSchema,
};

describe("analytics over the SDK", () => {
  test("every grouping of the SDK is parsed, and has the counts of the visits", async () => {
    const ask = (groupBy: Parameters<typeof dub.analytics.retrieve>[0]) =>
      dub.analytics.retrieve({ linkId: link.id, ...groupBy });
    const zeros = { leads: 0, sales: 0, saleAmount: 0 };
    expect(await ask({})).toEqual({ clicks: visits, ...zeros });
    const series = await ask({ groupBy: "timeseries", timezone: "Asia/Kolkata" });
    expect(series).toHaveLength(24);
    expect(await ask({ groupBy: "devices" })).toEqual([
      { device: "Desktop", clicks: visits, ...zeros },
    ]);
    expect(await ask({ groupBy: "browsers" })).toMatchObject([{ browser: "Chrome" }]);
    expect(await ask({ groupBy: "os" })).toMatchObject([{ os: "Windows" }]);
    expect(await ask({ groupBy: "triggers" })).toMatchObject([
      { trigger: "link", clicks: visits - 1 },
      { trigger: "qr", clicks: 1 },
    ]);
    expect(await ask({ groupBy: "referers" })).toMatchObject([
      { referer: "(direct)", clicks: visits - 1 },
      { referer: "news.example", clicks: 1 },
    ]);
    expect(await ask({ groupBy: "referer_urls" })).toHaveLength(2);
    for (const groupBy of ["countries", "regions", "cities"] as const) {
      expect(await ask({ groupBy })).toMatchObject([{ clicks: visits }]);
    }
    expect(await ask({ groupBy: "continents" })).toEqual([]);
    expect(await ask({ groupBy: "top_urls" })).toMatchObject([{ clicks: visits }]);
    expect(await ask({ groupBy: "top_links" })).toMatchObject([
      {
        id: link.id,
        link: link.id,
        key: link.key,
        title: "Titel",
        folderId: folder.id,
        clicks: visits,
      },
    ]);
  });

  test("the SDK finds a link by its externalId, and by its domain and key", async () => {
    const externalId = `ext_count-${runSuffix}`;
    expect(await dub.analytics.retrieve({ externalId })).toMatchObject({ clicks: visits });
    const { domain, key } = link;
    expect(await dub.analytics.retrieve({ domain, key })).toMatchObject({ clicks: visits });
  });

  test("leads and sales of a link without any are zeros", async () => {
    for (const event of ["leads", "sales"] as const) {
      expect(await dub.analytics.retrieve({ event, linkId: link.id })).toEqual({
        clicks: 0,
        leads: 0,
        sales: 0,
        saleAmount: 0,
      });
      const of = { event, linkId: link.id };
      const series = await dub.analytics.retrieve({ ...of, groupBy: "timeseries" });
      expect(series).toHaveLength(24);
      expect(await dub.analytics.retrieve({ ...of, groupBy: "countries" })).toEqual([]);
    }
  });
});

describe("analytics over plain HTTP", () => {
  const ask = (query: string, headers = {}) =>
    call("GET", `/analytics?linkId=${link.id}&${query}`, undefined, headers);
  const askOwn = (query: string) => ask(query, { Prefer: "fuxi=1" });

  test("every grouping answers, and Fuxi's own groupings have the counts of the visits", async () => {
    for (const groupBy of groupings) {
      expect([groupBy, (await ask(`groupBy=${groupBy}`)).status]).toEqual([groupBy, 200]);
    }
    const { body: languages } = await ask("groupBy=languages");
    expect(languages).toMatchObject([{ language: "de", clicks: visits }]);
    const { body: sources } = await ask("groupBy=utm_sources");
    expect(sources).toMatchObject([{ utm_source: "letter", clicks: visits }]);
    const { body: hours } = await ask("groupBy=hours&timezone=Asia/Kathmandu");
    expect(hours).toHaveLength(168);
    expect(hours[167]).toMatchObject({ weekday: 7, hour: 23 });
    const { body: domains } = await ask("groupBy=top_domains");
    expect(domains).toMatchObject([{ domain: link.domain, clicks: visits }]);
  });

  test("tags and folders are objects in their rows, and on request fields of the row", async () => {
    const { id: tagId, name, color } = tag;
    for (const groupBy of ["top_link_tags", "top_tags"]) {
      const { body } = await askOwn(`groupBy=${groupBy}`);
      expect(body).toMatchObject([
        { tag: { id: tagId, name, color }, tagId, name, color, clicks: visits },
      ]);
      expect(Object.keys(body[0].tag)).toEqual(["id", "name", "color"]);
    }
    const { body } = await askOwn("groupBy=top_folders");
    const { id: folderId } = folder;
    expect(body).toMatchObject([
      { folder: { id: folderId, name: folder.name }, folderId, name: folder.name, clicks: visits },
    ]);
    expect(Object.keys(body[0].folder)).toEqual(["id", "name"]);
  });

  test("fields that Dub's schemas don't have are returned on request only", async () => {
    for (const [groupBy, schema] of Object.entries(dubSchemas)) {
      const { body } = await ask(`groupBy=${groupBy}&event=composite`);
      const rows: unknown[] = [body].flat();
      // Dub's schemas drop fields that they don't know, so an equal result has none.
      expect([groupBy, rows.map((row) => schema.parse(row))]).toEqual([groupBy, rows]);
    }
    const counters = ["clicks", "leads", "sales", "saleAmount"];
    const { body: owned } = await ask("groupBy=top_link_tags,top_folders");
    expect(Object.keys(owned.top_tags[0])).toEqual(["tag", ...counters]);
    expect(Object.keys(owned.top_folders[0])).toEqual(["folder", ...counters]);
    const { body, headers } = await askOwn("groupBy=count,timeseries&event=composite");
    expect(headers["preference-applied"]).toBe("fuxi=1");
    expect(body.count).toHaveProperty("currency");
    expect(body.timeseries[0]).toHaveProperty("partial");
  });

  test("base URLs are destinations without query parameters", async () => {
    const expected = [{ url: `https://shop.example.com/${runSuffix}`, clicks: visits }];
    expect((await ask("groupBy=top_base_urls")).body).toMatchObject(expected);
    expect(
      await dub.analytics.retrieve({ linkId: link.id, groupBy: "top_base_urls" }),
    ).toMatchObject(expected);
  });

  test("several groupings are one response with each of them, and twelve are the most", async () => {
    const { body } = await ask("groupBy=count,os,count&unique=true");
    const alone = await Promise.all([ask("unique=true"), ask("groupBy=os&unique=true")]);
    expect(body).toEqual({ count: alone[0]?.body, os: alone[1]?.body });
    const some = (count: number) => `groupBy=${groupings.slice(0, count).join(",")}`;
    expect(Object.keys((await ask(some(groupingsMax))).body)).toHaveLength(groupingsMax);
    expectError(await ask(some(groupingsMax + 1)), 422, "unprocessable_entity", /at most 12/);
  });

  test("visitors, bots and the previous period are returned on request only", async () => {
    const { body } = await ask("unique=true&bots=true&compare=previous");
    expect(body).toMatchObject({ clicks: visits, visitors: 1, bots: 1 });
    expect(body.previous).toEqual({
      clicks: 0,
      leads: 0,
      sales: 0,
      saleAmount: 0,
      visitors: 0,
      bots: 0,
    });
    const { body: plain } = await ask("");
    expect(Object.keys(plain)).toEqual(["clicks", "leads", "sales", "saleAmount"]);
    const { body: series } = await ask("groupBy=timeseries&interval=7d&compare=previous");
    expect(series).toHaveLength(7);
    expect(series[6]).toMatchObject({ clicks: visits, previous: { clicks: 0 } });
  });

  test.each([
    ["groupBy=planets", /groupBy/],
    ["interval=3d", /interval/],
    ["timezone=Mars/Base", /timezone: Use an IANA time zone/],
    ["timezone=%2B05:30", /timezone/],
    ["start=yesterday", /start: Use a date/],
    ["start=2026-02-30", /start: Use a date/],
    ["start=2026-02-02&end=2026-02-01", /start: Use a start before the end/],
    ["start=2000-01-01&end=2026-01-01", /start: Use a period of at most 3660 days/],
    ["key=alone", /key: Send exactly one domain/],
    ["unique=perhaps", /unique/],
    ["limit=1001", /limit/],
  ])("%s is a 422 that names the field", async (query, words) => {
    expectError(await ask(query), 422, "unprocessable_entity", words);
  });

  test.each([
    ["linkId=link_missing", /link "link_missing"/],
    ["externalId=missing", /link "missing"/],
    ["tagId=tag_missing", /tag "tag_missing"/],
    ["folderId=-fold_missing", /folder "fold_missing"/],
    ["domain=missing.example", /domain "missing.example"/],
    ["domain=localhost&key=missing-one", /link "localhost\/missing-one"/],
  ])("%s names an unknown object: 404", async (query, words) => {
    expectError(await call("GET", `/analytics?${query}`), 404, "not_found", words);
  });
});

describe("single clicks", () => {
  test("the SDK reads them unchanged: newest first, with their link", async () => {
    const events = await dub.events.list({ linkId: link.id });
    expect(events).toHaveLength(visits);
    expect(events[0]).toMatchObject({ event: "click", link: { id: link.id } });
    const scans = await dub.events.list({ linkId: link.id, trigger: "qr" });
    expect(scans).toHaveLength(1);
    expect(await dub.events.list({ linkId: link.id, event: "leads" })).toEqual([]);
  });

  test("every field of a click is present, and no IP address", async () => {
    const { body } = await call("GET", `/events?linkId=${link.id}&referer=news.example`);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      event: "click",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      click: {
        device: "Desktop",
        browser: "Chrome",
        os: "Windows",
        trigger: "link",
        qr: false,
        referer: "news.example",
        refererUrl: "https://news.example/today",
        ua: browser,
        ip: "",
      },
      link: { id: link.id, clicks: expect.any(Number) },
      link_id: link.id,
      key: link.key,
      domain: link.domain,
      qr: 0,
      ip: "",
    });
    expect(body[0].click_id).toBe(body[0].click.id);
  });

  test("a file of clicks is an attachment, and so is a grouping", async () => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const paths = [
      [`/events/export?linkId=${link.id}`, "text/csv; charset=utf-8", "fuxi-clicks.csv"],
      [
        `/events/export?format=jsonl&linkId=${link.id}`,
        "application/jsonl; charset=utf-8",
        "fuxi-clicks.jsonl",
      ],
      [
        `/analytics/export?groupBy=countries&linkId=${link.id}`,
        "text/csv; charset=utf-8",
        "fuxi-countries.csv",
      ],
      [`/analytics/export?groupBy=all&linkId=${link.id}`, "application/zip", "fuxi-analytics.zip"],
      [
        `/analytics/export?groupBy=all&format=xlsx&linkId=${link.id}`,
        recordTypes.xlsx,
        "fuxi-analytics.xlsx",
      ],
    ];
    for (const [path, type, name] of paths) {
      const response = await send(`${apiUrl}${path}`, { headers });
      expect([path, response.status, response.headers["content-type"]]).toEqual([path, 200, type]);
      expect(response.headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
      expect(response.bytes.length).toBeGreaterThan(10);
    }
  });

  test("a workbook has a sheet for each grouping, with the rows of its CSV file", async () => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const path = `${apiUrl}/analytics/export?linkId=${link.id}&unique=true`;
    const { bytes } = await send(`${path}&groupBy=all&format=xlsx`, { headers });
    const sheets = await readWorkbook(bytes);
    expect(sheets.map(({ sheet }) => sheet)).toEqual([...groupings]);
    for (const groupBy of ["countries", "timeseries", "top_links"]) {
      const csv = readCsv((await send(`${path}&groupBy=${groupBy}`, { headers })).text);
      const [names = [], ...rows] = sheets.find(({ sheet }) => sheet === groupBy)?.data ?? [];
      const found = rows.map((row) =>
        Object.fromEntries(names.map((name, at) => [name, String(row[at] ?? "")])),
      );
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(csv);
    }
    const wrong = await send(`${path}&format=pdf`, { headers });
    expect(wrong.status).toBe(422);
  });
});
