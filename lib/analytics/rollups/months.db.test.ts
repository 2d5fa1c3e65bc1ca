import { beforeAll, beforeEach, expect, test } from "vitest";
import { coverOf } from "#lib/analytics/period-cover";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { clearStatistics, putClicks } from "../../../test/clicks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { rollDays } from "./days.ts";
import { maintainRollups } from "./index.ts";
import { findDifferences, rebuild } from "./rebuild.ts";
import { rollSlots } from "./roll.ts";

openTestStores();

const today = Math.floor(Date.now() / dayMs) * dayMs;
const at = (days: number) => new Date(today + days * dayMs);
/** The start of the month this many months ago, in UTC. */
const monthAt = (ago: number) => {
  const now = new Date(today);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago));
};
let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("monthly");
  await maintainRollups();
});

beforeEach(async () => {
  await clearStatistics();
  await updateWorkspace(scope, { zone: "UTC" });
});

async function rollAll(): Promise<void> {
  while ((await rollSlots(at(0))) > 0);
  await rollDays(at(0));
}

/** Clicks in one slot of every fourth day, from the first one on. Returns their number. */
async function put(from: Date, until: Date, onDay = 20, linkCount = 7): Promise<number> {
  const { workspacePk } = scope;
  const links = { first: 700, count: linkCount };
  let count = 0;
  for (let day = from.getTime(); day < until.getTime(); day += 4 * dayMs) {
    const hour = new Date(day + 5 * 3_600_000);
    await putClicks({ workspacePk, count: onDay, from: hour, until: hour, links });
    count += onDay;
  }
  return count;
}

function coverSince(from: Date, valuesSince?: { since: number; slotsSince: number }) {
  const { workspacePk } = scope;
  const coverQuery = { workspacePk, from: from.getTime(), until: today };
  return coverOf({
    ...coverQuery,
    byMonths: true,
    byDays: true,
    ...(valuesSince ? { valuesSince } : {}),
  });
}

function listMonths() {
  return query<{ start: Date; until: Date; zone: string }>(sql`
    SELECT start, until, zone FROM analytics.rolled_month ORDER BY start`);
}

/** Sums over the ranges of a cover, from tables of values or of links. */
async function read(cover: Awaited<ReturnType<typeof coverOf>>): Promise<number> {
  let total = 0;
  for (const [table, ranges] of [
    ["value_month", cover.months],
    ["value_day", cover.days],
    ["value_slot", cover.slots],
  ] as const) {
    for (const range of ranges) {
      const [row] = await query<{ n: number }>({
        text: `SELECT coalesce(sum(clicks + bots), 0)::int AS n FROM analytics.${table}
          WHERE link_pk = -1 AND dimension = 'total' AND start >= $1 AND start < $2`,
        values: [new Date(range.from), new Date(range.until)],
      });
      total += row?.n ?? 0;
    }
  }
  return total;
}

/** The running month up to its last rolled day; on its first day there is none. */
async function untilOfMonths(): Promise<number> {
  const months = await listMonths();
  return months.at(-1)?.until.getTime() ?? 0;
}

test("months are the sums of their days, the running one up to now, and a period is read from them", async () => {
  const count = await put(monthAt(2), at(0));
  await rollAll();
  const cover = await coverSince(monthAt(2));
  expect(cover.months).toEqual([{ from: monthAt(2).getTime(), until: await untilOfMonths() }]);
  expect([cover.days, cover.raw]).toEqual([[], []]);
  expect(await read(cover)).toBe(count);
  const sums = await query<{ clicks: number }>(sql`
    SELECT dimension, sum(clicks + bots)::int AS clicks
    FROM analytics.value_month
    WHERE link_pk = -1
    GROUP BY dimension`);
  expect(sums).toHaveLength(21);
  for (const { clicks } of sums) expect(clicks).toBe(count);
  expect(await findDifferences()).toEqual([]);
});

test("a month with a late click is read from its days until it is rolled up again", async () => {
  const count = await put(monthAt(2), at(0));
  await rollAll();
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 3, from: monthAt(1), until: monthAt(1) });
  const first = { from: monthAt(2).getTime(), until: monthAt(1).getTime() };
  const cover = await coverSince(monthAt(2));
  expect(cover.months[0]).toEqual(first);
  expect(cover.days[0]?.from).toBeGreaterThanOrEqual(monthAt(1).getTime());
  expect(cover.raw).toHaveLength(1);
  while ((await rollSlots(at(0))) > 0);
  expect((await coverSince(monthAt(2))).months).toEqual(cover.months);
  await rollDays(at(0));
  const mended = await coverSince(monthAt(2));
  expect(await read(mended)).toBe(count + 3);
  expect(mended.days).toEqual([]);
  expect(await findDifferences()).toEqual([]);
});

test("a link has months from the first one that begins with its values", async () => {
  await put(monthAt(2), at(0), 120, 1);
  await rollAll();
  const since = monthAt(2).getTime();
  const valuesSince = { since, slotsSince: Number.POSITIVE_INFINITY };
  expect((await coverSince(monthAt(2), valuesSince)).months[0]?.from).toBe(since);
  const later = { ...valuesSince, since: since + dayMs };
  expect((await coverSince(monthAt(2), later)).months[0]?.from).toBe(monthAt(1).getTime());
  const listOfLink = () =>
    query<{ start: Date }>(sql`
      SELECT DISTINCT start FROM analytics.value_month WHERE link_pk = 700 ORDER BY start`);
  expect((await listOfLink())[0]?.start).toEqual(monthAt(2));
  // The same month once more, now that the values of the link start within it.
  await query(sql`UPDATE analytics.busy_link SET since = ${new Date(later.since)}`);
  await query(sql`
    INSERT INTO analytics.touched_month (workspace_pk, start, until, zone)
    SELECT workspace_pk, start, until, zone FROM analytics.rolled_month WHERE start = ${monthAt(2)}`);
  await rollDays(at(0));
  expect((await listOfLink())[0]?.start).toEqual(monthAt(1));
});

test("a month whose days are of two zones has no rollup, and every click is counted once", async () => {
  const count = await put(at(-130), at(-40));
  await rollAll();
  expect(await listMonths()).toHaveLength(
    new Set(
      (await query<{ start: Date }>(sql`SELECT start FROM analytics.rolled_day`)).map(({ start }) =>
        start.toISOString().slice(0, 7),
      ),
    ).size,
  );
  await updateWorkspace(scope, { zone: "Asia/Kathmandu" });
  await rollDays(at(0));
  await rollDays(at(0));
  const days = await query<{ start: Date; until: Date; zone: string }>(sql`
    SELECT start, until, zone FROM analytics.rolled_day ORDER BY start`);
  const months = await listMonths();
  expect(new Set(months.map(({ zone }) => zone))).toEqual(new Set(["UTC", "Asia/Kathmandu"]));
  for (const { start, until, zone } of months) {
    const within = days.filter((day) => day.start < until && day.until > start);
    expect(within.map((day) => day.zone)).toEqual(within.map(() => zone));
  }
  expect(await read(await coverSince(at(-130)))).toBe(count);
  expect(await findDifferences()).toEqual([]);
});

test("a worker that dies during a month leaves it touched, and the next one rolls it up", async () => {
  const count = await put(monthAt(1), at(0));
  await query(sql`
    CREATE FUNCTION analytics.die() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
  await query(sql`
    CREATE TRIGGER die AFTER INSERT ON analytics.rolled_month
    FOR EACH STATEMENT EXECUTE FUNCTION analytics.die()`);
  await expect(rollAll()).rejects.toThrow();
  await query(sql`DROP FUNCTION analytics.die() CASCADE`);
  expect(await listMonths()).toEqual([]);
  expect(await query(sql`SELECT 1 FROM analytics.value_month`)).toHaveLength(0);
  expect(await read(await coverSince(monthAt(1)))).toBe(count);
  await Promise.all([rollDays(at(0)), rollDays(at(0)), rollDays(at(0))]);
  await rollDays(at(0));
  const cover = await coverSince(monthAt(1));
  expect(cover.days).toEqual([]);
  expect(await read(cover)).toBe(count);
});

test("a rebuild names a month that was changed by hand, and corrects it", async () => {
  await put(monthAt(1), at(0));
  await rollAll();
  await query(sql`
    UPDATE analytics.value_month SET clicks = clicks + 1 WHERE dimension = 'os' AND start = ${monthAt(1)}`);
  await query(sql`DELETE FROM analytics.link_month WHERE link_pk = 703 AND start = ${monthAt(1)}`);
  const found = await findDifferences();
  expect(found.map(({ table, start }) => [table, start])).toEqual([
    ["link_month", monthAt(1)],
    ["value_month", monthAt(1)],
  ]);
  expect(await rebuild()).toEqual(found);
  expect(await findDifferences()).toEqual([]);
});
