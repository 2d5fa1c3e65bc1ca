/** For any query, the API, its CSV and plain SQL over raw clicks agree, with rollups and without them. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { findDifferences, rollDays, rollSlots } from "#lib/analytics/rollups";
import { query, sql } from "#lib/platform/postgres";
import { type Caller, keyCaller } from "../../../test/api-callers.ts";
import {
  type ClickedWorkspace,
  fillWorkspace,
  rollFilled,
} from "../../../test/clicked-workspace.ts";
import { compactOldClicks } from "../../../test/clicks.ts";
import { readCsv } from "../../../test/csv.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { type Grouping, groupings } from "./schema.ts";

openTestStores();

const queryCount = process.env["TEST_LONG"] ? 300 : 15;
/** The same seed generates the same queries. */
const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 2 ** 31);
let filled: ClickedWorkspace;
let rawTable = "analytics.click";
let call: Caller;

beforeAll(async () => {
  process.stdout.write(`questions of TEST_SEED=${seed}\n`);
  filled = await fillWorkspace(await makeTestScope("asker"));
  call = await keyCaller(filled.scope);
});

const zones = [
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Asia/Shanghai",
  "America/New_York",
];

/** A filter in the form of the API, and as SQL over raw clicks. */
interface ClickFilterSpec {
  name: string;
  value: string;
  where: string;
}

function simple(name: string, column: string, words: readonly string[], unknown: string) {
  const literal = (word: string) => (word === unknown ? "''" : `'${word}'`);
  return fc
    .tuple(fc.subarray([...words, unknown], { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(
      ([values, excluded]): ClickFilterSpec => ({
        name,
        value: `${excluded ? "-" : ""}${values.join(",")}`,
        where: `coalesce(${column}, '') ${excluded ? "NOT IN" : "IN"} (${values.map(literal).join(", ")})`,
      }),
    );
}

function ofLinks(name: string, pick: () => { id: string; where: string }[]) {
  return fc
    .tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }), fc.boolean())
    .map(([left, right, excluded]): ClickFilterSpec => {
      const all = pick();
      const chosen = [...new Set([left, right].map((at) => at % all.length))];
      const some = chosen.flatMap((at) => all[at] ?? []);
      return {
        name,
        value: `${excluded ? "-" : ""}${some.map(({ id }) => id).join(",")}`,
        where: `${excluded ? "NOT " : ""}(${some.map(({ where }) => where).join(" OR ")})`,
      };
    });
}

const filters = fc.oneof(
  simple("country", "country", ["DE", "US"], "Unknown"),
  simple("continent", "continent", ["EU", "NA"], "Unknown"),
  simple("region", "region", ["DE-BE", "US-OR"], "Unknown"),
  simple("city", "city", ["Berlin", "Portland"], "Unknown"),
  simple("device", "device", ["Mobile", "Desktop"], "Unknown"),
  simple("browser", "browser", ["Browser 1", "Browser 2"], "Unknown"),
  simple("os", "os", ["iOS"], "Unknown"),
  simple("language", "language", ["de", "en"], "Unknown"),
  simple("referer", "referer", ["site1.example", "site4.example"], "(direct)"),
  simple("utm_source", "utm_source", ["letter"], "(none)"),
  simple("utm_campaign", "utm_campaign", ["c5", "c10"], "(none)"),
  fc.boolean().map(
    (qr): ClickFilterSpec => ({
      name: "trigger",
      value: qr ? "qr" : "-qr",
      where: qr ? "click.qr" : "NOT click.qr",
    }),
  ),
  ofLinks("linkId", () =>
    filled.links.map(({ id, externalId }) => ({
      id,
      where: `link.external_id = '${externalId}'`,
    })),
  ),
  ofLinks("tagId", () =>
    filled.tagIds.map((id) => ({
      id,
      where: `EXISTS (SELECT FROM link_tag JOIN tag ON tag.pk = tag_pk WHERE link_pk = link.pk AND tag.id = '${id}')`,
    })),
  ),
  ofLinks("folderId", () =>
    filled.folderIds.map((id) => ({
      id,
      where: `EXISTS (SELECT FROM folder WHERE folder.pk = folder_pk AND folder.id = '${id}')`,
    })),
  ),
  fc.boolean().map(
    (odd): ClickFilterSpec => ({
      name: "tenantId",
      value: odd ? "odd" : "-odd",
      where: odd ? "tenant_id = 'odd'" : "tenant_id <> 'odd'",
    }),
  ),
);

const periods = fc.oneof(
  fc.constantFrom("24h", "7d", "30d", "mtd", "all").map((interval) => ({ interval })),
  fc.tuple(fc.nat({ max: 27 * 1440 }), fc.nat({ max: 27 * 1440 })).map(([left, right]) => {
    // Minutes, so that most of them are in the middle of a slot.
    const [from, until] = [Math.min(left, right), Math.max(left, right) + 1];
    const at = (minutes: number) => new Date(filled.from.getTime() + minutes * 60_000);
    return { start: at(from).toISOString(), end: at(until).toISOString() };
  }),
);

/** Clicks have no event names. */
const clickGroupings = groupings.filter((one) => one !== "event_names");

const request = fc.record({
  groupBy: fc.constantFrom(...clickGroupings),
  timezone: fc.constantFrom(...zones),
  period: periods,
  filters: fc.uniqueArray(filters, { maxLength: 3, selector: ({ name }) => name }),
  bots: fc.boolean(),
});
type RandomQuery = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

/** The SQL of a raw click for the fields of a row. */
const keys: Partial<Record<Grouping, string>> = {
  countries: "coalesce(country, 'Unknown')",
  regions: "coalesce(split_part(region, '-', 1), 'Unknown') || ' ' || coalesce(region, 'Unknown')",
  cities:
    "CASE WHEN city IS NULL THEN 'Unknown Unknown Unknown' ELSE coalesce(country, 'Unknown') || ' ' || coalesce(region, 'Unknown') || ' ' || city END",
  continents: "continent",
  devices: "coalesce(device, 'Unknown')",
  browsers: "coalesce(browser, 'Unknown')",
  os: "coalesce(os, 'Unknown')",
  languages: "coalesce(language, 'Unknown')",
  triggers: "CASE WHEN click.qr THEN 'qr' ELSE 'link' END",
  referers: "coalesce(referer, '(direct)')",
  referer_urls: "coalesce(referer_url, '(direct)')",
  top_urls: "coalesce(click.url, 'Unknown')",
  top_base_urls: "coalesce(regexp_replace(click.url, '[?#].*$', ''), 'Unknown')",
  utm_sources: "coalesce(utm_source, '(none)')",
  utm_mediums: "coalesce(utm_medium, '(none)')",
  utm_campaigns: "coalesce(utm_campaign, '(none)')",
  utm_terms: "coalesce(utm_term, '(none)')",
  utm_contents: "coalesce(utm_content, '(none)')",
  top_links: "link.external_id",
  top_folders: "(SELECT id FROM folder WHERE folder.pk = folder_pk)",
  top_domains: "(SELECT slug FROM domain WHERE domain.pk = click.domain_pk)",
};

const fields: Partial<Record<Grouping, string[]>> = {
  regions: ["country", "region"],
  cities: ["country", "region", "city"],
};

type Row = Record<string, unknown>;

function nameOf(grouping: Grouping, row: Row): string {
  if (grouping === "top_links") {
    return String(filled.links.find(({ id }) => id === row["id"])?.externalId);
  }
  if (grouping === "top_tags") return String(row["tagId"]);
  if (grouping === "top_folders") return String(row["folderId"]);
  const names = fields[grouping] ?? Object.keys(row).slice(0, 1);
  return names.map((name) => row[name]).join(" ");
}

const counters = ["clicks", "visitors", "bots"] as const;
const columns = (first: string) => `
  count(*) FILTER (WHERE NOT bot)::int AS clicks,
  count(*) FILTER (WHERE ${first})::int AS visitors,
  count(*) FILTER (WHERE bot)::int AS bots`;

async function periodOf({ period, timezone }: RandomQuery): Promise<{ from: Date; until: Date }> {
  if ("start" in period) return { from: new Date(period.start), until: new Date(period.end) };
  const begins: Record<string, string> = {
    "24h": "date_trunc('hour', now() - interval '23 hours', $1)",
    "7d": "(date_trunc('day', now() AT TIME ZONE $1) - interval '6 days') AT TIME ZONE $1",
    "30d": "(date_trunc('day', now() AT TIME ZONE $1) - interval '29 days') AT TIME ZONE $1",
    mtd: "date_trunc('month', now() AT TIME ZONE $1) AT TIME ZONE $1",
  };
  const begin = begins[period.interval];
  if (begin === undefined) return { from: new Date(0), until: new Date() };
  const [row] = await query<{ from: Date; until: Date }>({
    text: `SELECT ${begin} AS "from", now() AS until`,
    values: [timezone],
  });
  return row ?? { from: new Date(0), until: new Date() };
}

function firstOf({ groupBy, filters: some }: RandomQuery): string {
  const links = some.filter(({ name }) =>
    ["linkId", "tagId", "folderId", "tenantId"].includes(name),
  );
  const [only] = links;
  const one = links.length === 1 && only?.name === "linkId" && !/^-|,/.test(only.value);
  return one || groupBy === "top_links" ? "first_of_link" : "first_of_workspace";
}

interface ComparedPath {
  key: string;
  join?: string;
  /** For the fourth parameter. */
  value?: (selection: RandomQuery, answer: Row[]) => string;
}

const ways: Partial<Record<Grouping, ComparedPath>> = {
  count: { key: "''" },
  timeseries: {
    key: "(extract(epoch FROM start.at) * 1000)::bigint",
    join: `JOIN (
        SELECT at, lead(at, 1, 'infinity') OVER (ORDER BY at) AS next
        FROM jsonb_array_elements_text($4::jsonb) AS text
        CROSS JOIN LATERAL (SELECT text::timestamptz AS at) AS moment
      ) AS start ON click.at >= start.at AND click.at < start.next`,
    value: (_, answer) => JSON.stringify(answer.map(({ start }) => start)),
  },
  hours: {
    key: "to_char(click.at AT TIME ZONE $4, 'ID HH24')",
    value: ({ timezone }) => timezone,
  },
  top_tags: {
    key: "tag.id",
    join: "JOIN link_tag ON link_tag.link_pk = link.pk JOIN tag ON tag.pk = tag_pk",
  },
};

/** The answer by the simplest statement over raw clicks. */
async function countRaw(selection: RandomQuery, answer: Row[]): Promise<Map<string, Row>> {
  const { from, until } = await periodOf(selection);
  const { groupBy } = selection;
  const { key, join = "", value } = ways[groupBy] ?? { key: String(keys[groupBy]) };
  const where = ["true", ...selection.filters.map((filter) => filter.where)];
  const rows = await query<Row>({
    text: `
      WITH click AS MATERIALIZED (
        SELECT *
        FROM ${rawTable}
        WHERE workspace_pk = $1 AND at >= $2 AND at < $3
      ), link AS MATERIALIZED (
        SELECT *
        FROM public.link
        WHERE workspace_pk = $1
      ), link_tag AS MATERIALIZED (
        SELECT *
        FROM public.link_tag
        WHERE link_pk IN (SELECT pk FROM link)
      )
      SELECT ${key} AS key, ${columns(firstOf(selection))}
      FROM click
      JOIN link ON link.pk = click.link_pk
      ${join}
      WHERE ${where.join(" AND ")}
      GROUP BY 1`,
    values: [filled.scope.workspacePk, from, until, ...(value ? [value(selection, answer)] : [])],
  });
  return new Map(rows.filter((row) => row["key"] !== null).map((row) => [String(row["key"]), row]));
}

function keyOf(groupBy: Grouping, row: Row): string {
  if (groupBy === "count") return "";
  if (groupBy === "timeseries") return String(Date.parse(String(row["start"])));
  if (groupBy === "hours") return `${row["weekday"]} ${String(row["hour"]).padStart(2, "0")}`;
  return nameOf(groupBy, row);
}

type ShownRow = readonly (typeof counters)[number][];

/** Key and counters of each row that has any, in the order of the keys. */
function pairsOf(rows: readonly (readonly [string, Row])[], shown: ShownRow): unknown[][] {
  return rows
    .map(([key, row]) => [key, ...shown.map((name) => Number(row[name]))])
    .filter((row) => row.slice(1).some((number) => number !== 0))
    .toSorted((left, right) => (String(left[0]) < String(right[0]) ? -1 : 1));
}

async function compare(selection: RandomQuery): Promise<void> {
  const { groupBy, timezone, period, bots } = selection;
  const query = {
    groupBy,
    timezone,
    ...period,
    ...Object.fromEntries(selection.filters.map(({ name, value }) => [name, value])),
    unique: "true",
    bots: String(bots),
  };
  const answered = await call({
    method: "GET",
    path: "/api/analytics",
    query,
    // Tags and folders by their ids.
    prefer: "fuxi=1",
  });
  const file = await call({ method: "GET", path: "/api/analytics/export", query });
  expect([answered.status, file.status], answered.text).toEqual([200, 200]);
  const answer = JSON.parse(answered.text);
  const rows: Row[] = Array.isArray(answer) ? answer : [answer];
  const shown = bots ? counters : (["clicks", "visitors"] as const);
  const wanted = pairsOf([...(await countRaw(selection, rows))], shown);
  const keyed = (some: readonly Row[]) =>
    pairsOf(
      some.map((row) => [keyOf(groupBy, row), row]),
      shown,
    );
  expect(keyed(rows)).toEqual(wanted);
  expect(keyed(readCsv(file.text))).toEqual(wanted);
}

async function compareMany(): Promise<void> {
  const settings = { numRuns: queryCount, endOnFailure: false, seed };
  await fc.assert(fc.asyncProperty(request, compare), settings);
  for (const timezone of ["Asia/Kolkata", "UTC"]) await compareOneLink(timezone);
}

/** Everything about the link with values per day. */
async function compareOneLink(timezone: string): Promise<void> {
  const [link] = filled.links;
  const where = `link.external_id = '${link?.externalId}'`;
  const filter = { name: "linkId", value: String(link?.id), where };
  for (const groupBy of clickGroupings) {
    const period = { interval: "30d" } as const;
    await compare({ groupBy, timezone, period, filters: [filter], bots: true });
  }
}

test("without rollups every query equals raw clicks", async () => {
  await compareMany();
});

test("with slots rolled up, days not: the same", async () => {
  await rollFilled(filled);
  await compareMany();
});

test("with days rolled up, in a zone with a half hour: the same", async () => {
  await query(
    sql`UPDATE workspace SET zone = 'Asia/Kolkata' WHERE pk = ${filled.scope.workspacePk}`,
  );
  filled.scope = { ...filled.scope, zone: "Asia/Kolkata" };
  await query(sql`
    UPDATE analytics.touched_day SET zone = 'Asia/Kolkata', start = start - interval '5.5 hours', until = until - interval '5.5 hours'`);
  while ((await rollDays()) > 0);
  const [days] = await query<{ count: number }>(
    sql`SELECT count(*) AS count FROM analytics.rolled_day`,
  );
  expect(days?.count).toBeGreaterThan(20);
  expect(await query(sql`SELECT since FROM analytics.busy_link`)).toHaveLength(1);
  await compareMany();
});

test("with slots and days touched since: the same", async () => {
  await query(sql`
    UPDATE analytics.click
    SET country = 'FR', region = NULL, city = 'Lyon'
    WHERE extract(day FROM at AT TIME ZONE 'UTC')::int % 3 = 0
      AND extract(hour FROM at AT TIME ZONE 'UTC') = 7`);
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch')
    FROM analytics.click
    WHERE country = 'FR'
    ON CONFLICT (workspace_pk, slot) DO NOTHING`);
  await compareMany();
});

test("with old days in blocks: the same, with slots and days touched, and with them rolled", async () => {
  await query(sql`CREATE TABLE raw_copy AS SELECT * FROM analytics.click`);
  await query(sql`ANALYZE raw_copy`);
  rawTable = "raw_copy";
  await compactOldClicks();
  const [kept] = await query<{ rows: number }>(sql`SELECT count(*) AS rows FROM analytics.click`);
  const [moved] = await query<{ clicks: number }>(sql`
    SELECT sum(clicks) AS clicks
    FROM analytics.click_block`);
  expect(kept?.rows).toBeGreaterThan(3_000);
  expect(moved?.clicks).toBeGreaterThan(5_000);
  await compareMany();
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch')
    FROM raw_copy
    WHERE extract(day FROM at AT TIME ZONE 'UTC')::int % 5 = 0
    ON CONFLICT (workspace_pk, slot) DO NOTHING`);
  await compareMany();
  while ((await rollSlots()) > 0);
  while ((await rollDays()) > 0);
  await compareMany();
  expect(await findDifferences()).toEqual([]);
});
