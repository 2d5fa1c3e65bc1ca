import { beforeAll, beforeEach, expect, test } from "vitest";
import { coverOf } from "#lib/analytics/period-cover";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { clearStatistics, putClicks } from "../../../test/clicks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { busyDay } from "./busy.ts";
import { rollDays } from "./days.ts";
import { maintainRollups } from "./index.ts";
import { findDifferences } from "./rebuild.ts";
import { rollSlots } from "./roll.ts";

openTestStores();

const today = Math.floor(Date.now() / dayMs) * dayMs;
const at = (days: number, hours = 0) => new Date(today + days * dayMs + hours * 3_600_000);
let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("busy");
  await maintainRollups();
});

beforeEach(clearStatistics);

async function rollAll(): Promise<void> {
  while ((await rollSlots(at(2))) > 0);
  await rollDays(at(2));
}

test("a link is busy from a number of clicks a day on, and then has its own slots for that whole day", async () => {
  expect(busyDay.clicks).toBe(100_000);
  if (!process.env["TEST_LONG"]) busyDay.clicks = 3_000;
  const { workspacePk } = scope;
  const links = { first: 900, count: 1 };
  // A tenth of them are bots.
  const enough = Math.ceil((busyDay.clicks * 11) / 10);
  await putClicks({ workspacePk, count: enough - 1, from: at(-1), until: at(-1, 5), links });
  await rollAll();
  expect(await countClicks()).toBe(busyDay.clicks - 1);
  expect(await listKept()).toEqual([{ link_pk: 900, since: at(-1), slots_since: null }]);
  await query(
    sql`UPDATE analytics.click SET bot = false WHERE id = (SELECT id FROM analytics.click WHERE bot AND at > ${at(-1, 4)} LIMIT 1)`,
  );
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch') FROM analytics.click`);
  await rollAll();
  expect(await listKept()).toEqual([{ link_pk: 900, since: at(-1), slots_since: at(-1) }]);
  expect(await findDifferences()).toEqual([]);
  const [row] = await query<{ clicks: number }>(sql`
    SELECT sum(clicks)::int AS clicks
    FROM analytics.value_day
    WHERE link_pk = 900 AND dimension = 'country'`);
  expect(row?.clicks).toBe(busyDay.clicks);
});

async function countClicks(): Promise<number> {
  const [row] = await query<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM analytics.click WHERE NOT bot`);
  return row?.n ?? 0;
}

function listKept() {
  return query(sql`
    SELECT link_pk, since, slots_since
    FROM analytics.busy_link
    ORDER BY link_pk`);
}

test("from a day with a hundred clicks on, a link has values of every day", async () => {
  const { workspacePk } = scope;
  const put = (count: number, day: number, first: number) =>
    putClicks({
      workspacePk,
      count,
      from: at(day),
      until: at(day, 20),
      links: { first, count: 1 },
    });
  // A tenth of them are bots: 99 clicks and 100.
  await put(109, -5, 801);
  await put(110, -5, 802);
  for (const day of [-4, -3, -2]) await put(60, day, 803);
  await rollAll();
  expect(await listKept()).toEqual([{ link_pk: 802, since: at(-5), slots_since: null }]);
  // Its later days exist without its values.
  await put(60, -4, 803);
  await put(20, -2, 802);
  await rollAll();
  expect(await listKept()).toEqual([
    { link_pk: 802, since: at(-5), slots_since: null },
    { link_pk: 803, since: at(-1), slots_since: null },
  ]);
  expect(await findDifferences()).toEqual([]);
  const values = await query(sql`
    SELECT link_pk, start, sum(clicks)::int AS clicks
    FROM analytics.value_day
    WHERE dimension = 'country' AND link_pk <> -1
    GROUP BY link_pk, start
    ORDER BY start`);
  expect(values).toEqual([
    { link_pk: 802, start: at(-5), clicks: 100 },
    { link_pk: 802, start: at(-2), clicks: 18 },
  ]);
});

test("a link without its own slots is read from its days and from raw clicks, and nothing twice", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 2_000, from: at(-5), until: at(0) });
  await rollAll();
  const hour = (days: number, hours = 0) => at(days, hours).getTime();
  const queryValues = {
    workspacePk,
    from: hour(-5, 3),
    until: hour(-1, 5),
    byMonths: true,
    byDays: true,
  };
  const valuesSince = { since: hour(-3), slotsSince: Number.POSITIVE_INFINITY };
  expect(await coverOf({ ...queryValues, valuesSince })).toEqual({
    months: [],
    days: [{ from: hour(-3), until: hour(-1) }],
    slots: [],
    raw: [
      { from: hour(-5, 3), until: hour(-3) },
      { from: hour(-1), until: hour(-1, 5) },
    ],
  });
  // Slots of its own from noon of a day on, and no days.
  expect(
    await coverOf({
      ...queryValues,
      byDays: false,
      valuesSince: { ...valuesSince, slotsSince: hour(-2, 12) },
    }),
  ).toEqual({
    months: [],
    days: [],
    slots: [{ from: hour(-2, 12), until: hour(-1, 5) }],
    raw: [{ from: hour(-5, 3), until: hour(-2, 12) }],
  });
});
