import { beforeAll, beforeEach, expect, test } from "vitest";
import { maintainRollups, rollDays } from "#lib/analytics/rollups";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { clearStatistics } from "../../../test/clicks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countClicks } from "./counts.ts";
import { type Leader, writeLeaders } from "./leaders.ts";
import { type ClickSelection, type GroupKey, partsOf, sourceOf } from "./source.ts";

openTestStores();

const today = Math.floor(Date.now() / dayMs) * dayMs;
const days = 75;
const links = 300;
const period = { from: today - days * dayMs, until: today };
const limit = 7;
const byUrl = { by: "dimension", dimension: "url" } as const;
const keys: GroupKey[] = [{ by: "link" }, byUrl];
let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("leaders");
  await maintainRollups();
});

beforeEach(clearStatistics);

function about(key: GroupKey): ClickSelection {
  const { workspacePk } = scope;
  return { workspacePk, ownZone: "UTC", key, values: [], links: [] };
}

/**
 * Days of links and of URLs, and the months derived from them. `clicks` is the number for link `n` on day `d`; a link
 * without any has a bot.
 */
async function putDays(clicks: string): Promise<void> {
  const { workspacePk } = scope;
  const from = `FROM generate_series(0, ${days - 1}) AS d, generate_series(0, ${links - 1}) AS n`;
  const start = `$1::timestamptz + d * interval '1 day'`;
  const begin = new Date(period.from);
  for (const text of [
    `INSERT INTO analytics.link_day
      (start, link_pk, workspace_pk, clicks, visitors, workspace_visitors, scans, bots)
      SELECT ${start}, n, $2::int, ${clicks}, ${clicks}, 0, 0, (${clicks} = 0)::int ${from}`,
    `INSERT INTO analytics.value_day
      (start, link_pk, workspace_pk, dimension, clicks, visitors, scans, bots, value)
      SELECT ${start}, -1, $2::int, 'url', ${clicks}, 0, 0, (${clicks} = 0)::int,
        CASE WHEN n = 2 THEN '' WHEN n = 4 THEN 'Unknown' ELSE 'https://a.example/' || n END ${from}`,
  ]) {
    await query({ text, values: [begin, workspacePk] });
  }
  await query(sql`
    INSERT INTO analytics.rolled_day (workspace_pk, start, until, zone)
    SELECT ${workspacePk}::int, start, start + interval '1 day', 'UTC'
    FROM generate_series(${begin}::timestamptz, ${new Date(today - dayMs)}, interval '1 day') AS start`);
  await query(sql`
    INSERT INTO analytics.touched_month (workspace_pk, start, until, zone)
    SELECT DISTINCT workspace_pk, date_trunc('month', start, 'UTC'),
      date_trunc('month', start, 'UTC') + interval '1 month', zone
    FROM analytics.rolled_day`);
  await rollDays();
}

async function askLeaders(key: GroupKey): Promise<Leader[]> {
  const selection = about(key);
  const source = await sourceOf(selection);
  const parts = await partsOf(selection, source, period);
  expect(parts.months).toHaveLength(1);
  return await query<Leader>(writeLeaders(selection, source, parts, { bots: true, limit }));
}

async function expectSame(key: GroupKey, bots: boolean): Promise<void> {
  const all = await countClicks(about(key), period, { bots, limit: null });
  const first = await countClicks(about(key), period, { bots, limit });
  expect(first.rows).toEqual(all.rows.slice(0, limit));
  expect(first.rows.length).toBeGreaterThan(0);
}

test("where the same links always lead, each day's leaders are enough", async () => {
  await putDays("(2000 / (n + 1) + (n * 7 + d * 13) % 5)");
  for (const key of keys) {
    const rows = await askLeaders(key);
    expect(rows.map(({ exact }) => exact)).toEqual(rows.map(() => true));
    await expectSame(key, false);
    await expectSame(key, true);
  }
});

test("where every day has other leaders, a row is marked as inexact, and so is the response", async () => {
  await putDays("(CASE WHEN n / 10 = d % 30 THEN 100 + n ELSE 3 + n % 2 END)");
  for (const key of keys) {
    const rows = await askLeaders(key);
    expect(rows.some(({ exact }) => !exact)).toBe(true);
    await expectSame(key, false);
  }
});

test("where all links have equally many clicks, the first are those of the first names", async () => {
  await putDays("1");
  for (const key of keys) await expectSame(key, false);
});

test("links that only bots visited come last, and none of them is left out", async () => {
  await putDays("(CASE WHEN n < 3 THEN 5 ELSE 0 END)");
  for (const key of keys) {
    await expectSame(key, true);
    await expectSame(key, false);
  }
});
