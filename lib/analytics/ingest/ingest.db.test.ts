import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import { rollSlots } from "#lib/analytics/rollups";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { openLinks } from "#lib/links/creating";
import { renderMetrics } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { openDataCenters } from "#lib/platform/request-info";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";
import { eventEnd, fieldEnd, sealAddresses } from "#lib/redirect/clicks";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { drainShard, followShards } from "./drain.ts";
import { openIngest, readLag, runUpkeep } from "./index.ts";
import { ShardLeases } from "./leases.ts";

openTestStores();

let scope: WorkspaceScope;
const stream = redisKeys.clickStream(0);
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

beforeAll(async () => {
  await openIngest();
  await openLinks();
  scope = await makeTestScope("stats");
});

beforeEach(async () => {
  await redis().del(stream);
  await query(sql`TRUNCATE analytics.click, analytics.visitor, analytics.click_group,
    analytics.touched_slot, analytics.link_slot, analytics.value_slot,
    analytics.dead_click, link_stat`);
});

interface Visit {
  at?: number;
  link?: number;
  flags?: string;
  agent?: string;
  address?: string;
  referer?: string;
  query?: string;
  url?: string;
}

async function addGroup(visits: Visit[], name = `${randomUUID()}:1`): Promise<void> {
  const day = dayOf(Date.now());
  const secret = await loadDaySecret(day);
  if (!secret) throw new Error("no secret");
  const events = visits
    .map((visit) =>
      [
        visit.at ?? Date.now(),
        visit.link ?? 1,
        scope.workspacePk,
        1,
        visit.flags ?? "",
        visit.agent ?? browser,
        visit.referer ?? "",
        "de-DE,de;q=0.9",
        visit.query ?? "",
        visit.url ?? "",
      ].join(fieldEnd),
    )
    .map((event) => event + eventEnd)
    .join("");
  const addresses = visits.map((visit) => visit.address ?? "81.2.69.142").join(fieldEnd);
  const sealed = sealAddresses(addresses, secret.key);
  await redis().xadd(stream, "*", "v", "1", "g", name, "d", day, "a", sealed, "e", events);
}

async function count(table: string): Promise<number> {
  const [row] = await query<{ n: number }>({
    text: `SELECT count(*) AS n FROM analytics.${table}`,
    values: [],
  });
  return row?.n ?? 0;
}

/** The all-time counters of a link. */
async function totalsOf(link: number) {
  const [row] = await query<{ clicks: number; visitors: number; scans: number; bots: number }>(sql`
    SELECT clicks, visitors, scans, bots
    FROM link_stat
    WHERE link_pk = ${link} AND workspace_pk = ${scope.workspacePk}`);
  return row ?? { clicks: 0, visitors: 0, scans: 0, bots: 0 };
}

async function clicksByHour(): Promise<number[]> {
  const timeseriesQuery = { groupBy: "timeseries", interval: "24h", timezone: "UTC" };
  const { answer } = await askAnalytics(scope, analyticsQuery.parse(timeseriesQuery));
  return Array.isArray(answer) ? answer.map((row) => Number(row["clicks"])) : [];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

test("a group that is delivered three times is counted once", async () => {
  const name = `${randomUUID()}:7`;
  await addGroup([{}, {}], name);
  await addGroup([{}, {}], name);
  await drainShard(0);
  await addGroup([{}, {}], name);
  await drainShard(0);
  expect(await totalsOf(1)).toMatchObject({ clicks: 2, visitors: 1 });
  expect(await count("click")).toBe(2);
  expect(await redis().xlen(stream)).toBe(0);
});

test("eight workers on one stream count every click once", async () => {
  for (let group = 0; group < 40; group++) await addGroup(Array.from({ length: 25 }, () => ({})));
  await Promise.all(Array.from({ length: 8 }, () => drainShard(0)));
  await drainShard(0);
  const counts = { groups: await count("click_group"), dead: await count("dead_click") };
  expect({ ...counts, waiting: await redis().xlen(stream) }).toEqual({
    groups: 40,
    dead: 0,
    waiting: 0,
  });
  expect((await totalsOf(1)).clicks).toBe(1_000);
});

test("the first click of a link is the earliest of people, in any order; unknown where it was clicked before", async () => {
  const firstOf = async (link: number) => {
    const [row] = await query<{ at: Date | null }>(sql`
      SELECT first_click_at AS at FROM link_stat WHERE link_pk = ${link}`);
    return row?.at?.getTime() ?? null;
  };
  const now = Date.now();
  const [early, late] = ["81.2.69.143", "81.2.69.144"];
  await addGroup([{ at: now - 4_000, agent: "curl/8.5.0" }]);
  await drainShard(0);
  expect(await firstOf(1)).toBeNull();
  await addGroup([{ at: now - 1_000, address: late }]);
  await drainShard(0);
  await addGroup([{ at: now - 3_000, address: early }, { at: now - 2_000 }]);
  await drainShard(0);
  expect(await firstOf(1)).toBe(now - 3_000);
  await query(sql`UPDATE link_stat SET first_click_at = NULL`);
  await addGroup([{ at: now }]);
  await drainShard(0);
  expect(await firstOf(1)).toBeNull();
});

test("bots and HEAD are counted separately, prefetch not at all, scans as clicks of their own kind", async () => {
  await addGroup([
    {},
    { flags: "q", address: "81.2.69.143" },
    { agent: "curl/8.5.0" },
    { flags: "h" },
    { flags: "p" },
  ]);
  await drainShard(0);
  expect(await totalsOf(1)).toEqual({
    clicks: 2,
    visitors: 2,
    scans: 1,
    bots: 2,
  });
  expect(await count("click")).toBe(4);
});

test("visits from listed data centers are bots, except opens that an app reports", async () => {
  const list = join(mkdtempSync(join(tmpdir(), "networks-")), "list.txt");
  writeFileSync(list, "203.0.113.0/24\n");
  await openDataCenters(list);
  const address = "203.0.113.9";
  await addGroup([{ address }, { address, flags: "o" }, { address: "203.0.114.9" }]);
  await drainShard(0);
  expect(await totalsOf(1)).toMatchObject({ clicks: 2, bots: 1 });
  const kinds = await query<{ bot_kind: string }>(
    sql`SELECT bot_kind FROM analytics.click WHERE bot_kind IS NOT NULL`,
  );
  expect(kinds).toEqual([{ bot_kind: "data_center" }]);
});

test("visits of the workspace’s networks and marked browsers are bots of the kind own, unless they are bots anyway", async () => {
  const { workspacePk } = scope;
  await query(sql`
    UPDATE workspace SET own_networks = '{198.51.100.0/24,2001:db8::/32}' WHERE pk = ${workspacePk}`);
  const until = Date.now() + 2_100;
  await expect.poll(() => Date.now(), { timeout: 5_000 }).toBeGreaterThan(until);
  await addGroup([
    { address: "198.51.100.255" },
    { address: "2001:db8::9" },
    { address: "198.51.101.0" },
    { flags: "w", address: "203.0.115.1" },
    { flags: "o", address: "198.51.100.1" },
    { agent: "curl/8.5.0", address: "198.51.100.1" },
  ]);
  await drainShard(0);
  await query(sql`UPDATE workspace SET own_networks = '{}' WHERE pk = ${workspacePk}`);
  const kinds = await query<{ kind: string; count: number }>(sql`
    SELECT bot_kind AS kind, count(*)::int AS count FROM analytics.click
    WHERE bot_kind IS NOT NULL GROUP BY 1 ORDER BY 1`);
  expect(kinds).toEqual([
    { kind: "own", count: 4 },
    { kind: "program", count: 1 },
  ]);
  expect(await totalsOf(1)).toMatchObject({ clicks: 1, bots: 5 });
});

test("the country that a proxy sent replaces the one of the address, if it exists", async () => {
  const address = "81.2.69.143";
  await addGroup([
    { address },
    { flags: "GB", address },
    { flags: "qFR", address },
    { flags: "XX", address },
  ]);
  await drainShard(0);
  const rows = await query<{ country: string; region: string | null; qr: boolean }>(
    sql`SELECT continent, country, region, qr FROM analytics.click ORDER BY qr DESC`,
  );
  const looked = {
    continent: "EU",
    country: "GB",
    region: expect.stringMatching(/^GB-/),
    qr: false,
  };
  expect(rows).toEqual([
    { continent: "EU", country: "FR", region: null, qr: true },
    looked,
    looked,
    looked,
  ]);
});

test("a visitor counts once a day on a link and once in the workspace", async () => {
  await addGroup([{ link: 1 }, { link: 1 }, { link: 2 }, { link: 2, address: "8.8.8.8" }]);
  await drainShard(0);
  expect((await totalsOf(1)).visitors).toBe(1);
  expect((await totalsOf(2)).visitors).toBe(2);
  const [row] = await query<{ n: number }>(
    sql`SELECT count(*) FILTER (WHERE first_of_workspace) AS n FROM analytics.click`,
  );
  expect(row?.n).toBe(2);
});

test("the first link of all, whose pk is 0, is a link like any other", async () => {
  await addGroup([{ link: 0 }, { link: 5 }]);
  await drainShard(0);
  const rows = await query<{ link_pk: number; link: boolean; workspace: boolean }>(sql`
    SELECT link_pk, first_of_link AS link, first_of_workspace AS workspace
    FROM analytics.click
    ORDER BY link_pk`);
  expect(rows).toEqual([
    { link_pk: 0, link: true, workspace: true },
    { link_pk: 5, link: true, workspace: false },
  ]);
});

test("an unreadable entry becomes a dead letter and delays no other", async () => {
  await redis().xadd(stream, "*", "v", "9", "g", "x", "e", "junk");
  await redis().xadd(stream, "*", "nothing", "known");
  await addGroup([{}]);
  await drainShard(0);
  expect(await count("dead_click")).toBe(2);
  expect((await totalsOf(1)).clicks).toBe(1);
  expect(await redis().xlen(stream)).toBe(0);
});

test("a click that the database refuses becomes a dead letter without its address; its neighbours count", async () => {
  // No link has this pk: it exceeds the column.
  await addGroup([{}, { link: 9_007_199_254_740_991, agent: "poison\ud800" }, {}]);
  // A refusal by a Citus worker during COPY has no code.
  const table = process.env["TEST_CITUS_URL"] ? "link_stat" : "analytics.click";
  const alter = (change: string) => query({ text: `ALTER TABLE ${table} ${change}`, values: [] });
  await alter("ADD CONSTRAINT poison CHECK (link_pk < 1000000)");
  await drainShard(0);
  await alter("DROP CONSTRAINT poison");
  expect((await totalsOf(1)).clicks).toBe(2);
  const [dead] = await query<{ event: string }>(sql`SELECT event FROM analytics.dead_click`);
  expect(dead?.event).toContain("poison");
  expect(dead?.event).not.toContain("81.2.69.142");
});

test("a click from a clock that is a day ahead counts now, and from one that is minutes ahead at its own time", async () => {
  const [begin, soon] = [Date.now(), Date.now() + 600_000];
  await addGroup([{ at: begin + 86_400_000 }, { at: soon }]);
  await drainShard(0);
  const rows = await query<{ at: Date }>(sql`SELECT at FROM analytics.click ORDER BY at`);
  expect(rows).toHaveLength(2);
  const [first = 0, second] = rows.map(({ at }) => at.getTime());
  expect(first).toBeGreaterThanOrEqual(begin);
  expect(first).toBeLessThanOrEqual(Date.now());
  expect(second).toBe(soon);
});

test("no stored field contains an IP address", async () => {
  await addGroup([{ address: "203.0.113.77" }]);
  await drainShard(0);
  const rows = await query<{ row: string }>(
    sql`SELECT to_jsonb(click)::text AS row FROM analytics.click AS click`,
  );
  expect(rows[0]?.row).not.toContain("203.0.113.77");
});

test("a chart is the same before a slot is closed, after it, and after a late click and a second close", async () => {
  const hourAgo = Date.now() - 3_600_000;
  await addGroup([{ at: hourAgo }, { at: hourAgo, address: "8.8.8.8" }, {}]);
  await drainShard(0);
  const series = clicksByHour;
  const open = await series();
  expect(open).toHaveLength(24);
  expect(sumOf(open)).toBe(3);
  expect(await rollSlots()).toBe(1);
  expect(await series()).toEqual(open);
  await addGroup([{ at: hourAgo + 1 }]);
  await drainShard(0);
  await rollSlots();
  expect(sumOf(await series())).toBe(4);
  const [total] = await query<{ clicks: number }>(sql`
    SELECT clicks FROM analytics.value_slot WHERE dimension = 'country' AND value = 'GB'`);
  expect(total?.clicks).toBe(2);
});

test("clicks are kept for the retention and then dropped by the day, visitors after two", async () => {
  const now = Date.now();
  const day = (ago: number) => dayOf(now - ago * 86_400_000);
  const created = [1, 2, 3, 400, 401].map((ago) => now - ago * 86_400_000);
  await ensurePartitions(["click", "visitor"], created);
  await Promise.all([runUpkeep(now), runUpkeep(now)]);
  await runUpkeep(now);
  const rows = await query<{ name: string }>(sql`
    SELECT inhrelid::regclass::text AS name
    FROM pg_inherits
    WHERE inhparent IN ('analytics.click'::regclass, 'analytics.visitor'::regclass)`);
  const names = new Set(rows.map(({ name }) => name));
  const has = (table: string, ago: number) =>
    names.has(`analytics.${table}_${day(ago).replaceAll("-", "")}`);
  expect([0, -3, 3, 400, 401].map((ago) => has("click", ago))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect([0, -3, 2, 3, 400].map((ago) => has("visitor", ago))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("a click has its destination and campaign: parameters of the visit override the destination's", async () => {
  const url = "https://shop.example/?utm_source=letter&utm_medium=mail#utm_term=no";
  const [link] = await make(scope, [{ url }]);
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM link WHERE key = ${link?.key}`);
  const chosen = "https://apps.example/?utm_source=store";
  await addGroup([
    { link: row?.pk ?? 0 },
    { link: row?.pk ?? 0, query: "x=1&utm_source=%E4%B8%AD&utm_campaign=autumn" },
    { link: row?.pk ?? 0, url: chosen },
    { link: 4_711, query: "utm_medium=sms" },
  ]);
  await drainShard(0);
  const rows = await query(sql`
    SELECT url, utm_source, utm_medium, utm_campaign, utm_term FROM analytics.click ORDER BY url, utm_source`);
  const none = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null };
  expect(rows).toEqual([
    { ...none, url: chosen, utm_source: "store" },
    { ...none, url, utm_source: "letter", utm_medium: "mail" },
    { ...none, url, utm_source: "中", utm_medium: "mail", utm_campaign: "autumn" },
    { ...none, url: null, utm_medium: "sms" },
  ]);
});

test("a click has its region, and a bot its kind", async () => {
  await addGroup([
    { address: "8.8.8.8" },
    { agent: "WhatsApp/2.23.20.0 A" },
    { flags: "h" },
    { agent: "" },
  ]);
  await drainShard(0);
  const rows = await query(sql`
    SELECT region, bot, bot_kind FROM analytics.click ORDER BY bot_kind NULLS FIRST`);
  expect(rows).toEqual([
    { region: "US-CA", bot: false, bot_kind: null },
    { region: "GB-ENG", bot: true, bot_kind: "head" },
    { region: "GB-ENG", bot: true, bot_kind: "preview" },
    { region: "GB-ENG", bot: true, bot_kind: "silent" },
  ]);
});

test("under load a job stays with its shards, and ends when few clicks arrive or its time is over", async () => {
  const many = Array.from({ length: 100 }, () => ({}));
  let sent = 0;
  const send = async () => {
    await addGroup(many);
    sent += many.length;
  };
  await send();
  const leases = new ShardLeases([0, 1]);
  const following = followShards([0, 1], leases, { forMs: 60_000 });
  // More often than the job polls, so that a pause of this process is not a pause of the visits.
  while ((await totalsOf(1)).clicks < 1_000) await send();
  await following;
  expect((await totalsOf(1)).clicks).toBe(sent);
  await send();
  await followShards([0, 1], leases, { forMs: 0 });
  expect((await totalsOf(1)).clicks).toBe(sent);
});

test("the delay of counting is measured also while no worker counts", async () => {
  expect(await readLag()).toEqual({ entries: 0, seconds: 0, slots: 0 });
  await addGroup([{ at: Date.now() - 3_600_000 }]);
  await addGroup([{}]);
  expect(await readLag(Date.now() + 90_000)).toMatchObject({ entries: 2, slots: 0 });
  expect((await readLag(Date.now() + 90_000)).seconds).toBeGreaterThanOrEqual(90);
  await drainShard(0);
  expect(await readLag()).toEqual({ entries: 0, seconds: 0, slots: 1 });
  expect(await renderMetrics()).toMatch(/fuxi_lag\{what="slots"\} 1\n/);
});

test("a destination is stored with its first 2,048 characters, and campaigns are read from all of it", async () => {
  const urlOf = (length: number) => {
    const begin = "https://shop.example/?x=";
    const end = "&utm_source=letter";
    return `${begin}${"y".repeat(length - begin.length - end.length)}${end}`;
  };
  const links = await make(scope, [{ url: urlOf(2_048) }, { url: urlOf(2_049) }]);
  const pks = await query<{ pk: number }>(sql`
    SELECT pk FROM link WHERE key = ANY(${links.map(({ key }) => key)}) ORDER BY length(url)`);
  await addGroup(pks.map(({ pk }) => ({ link: pk })));
  await addGroup([{ url: urlOf(2_049) }]);
  await drainShard(0);
  const rows = await query<{ length: number; source: string | null }>(sql`
    SELECT length(url) AS length, utm_source AS source FROM analytics.click`);
  expect(rows).toEqual([1, 2, 3].map(() => ({ length: 2_048, source: "letter" })));
});

test("an edited link is counted for its new destination within seconds", async () => {
  const [link] = await make(scope, [{ url: "https://shop.example/old" }]);
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM link WHERE key = ${link?.key}`);
  await addGroup([{ link: row?.pk ?? 0 }]);
  await drainShard(0);
  await query(sql`UPDATE link SET url = 'https://shop.example/new' WHERE pk = ${row?.pk}`);
  vi.useFakeTimers({ now: Date.now() + 5_001, toFake: ["Date"] });
  await addGroup([{ link: row?.pk ?? 0 }]);
  await drainShard(0).finally(() => vi.useRealTimers());
  const urls = await query<{ url: string }>(sql`SELECT url FROM analytics.click ORDER BY url DESC`);
  expect(urls.map(({ url }) => url)).toEqual([
    "https://shop.example/old",
    "https://shop.example/new",
  ]);
});
