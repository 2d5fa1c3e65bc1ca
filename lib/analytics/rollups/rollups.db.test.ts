import { beforeAll, beforeEach, expect, test } from "vitest";
import { coverOf } from "#lib/analytics/period-cover";
import { slotMs } from "#lib/analytics/time-slots";
import { pool, query, sql } from "#lib/platform/postgres";
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

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const at = (days: number, hours = 0) => new Date(today + days * dayMs + hours * 3_600_000);
let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("roller");
  await maintainRollups();
});

beforeEach(async () => {
  await clearStatistics();
  await updateWorkspace(scope, { zone: "UTC" });
});

function sums(table: string): Promise<{ dimension: string; clicks: number; bots: number }[]> {
  return query({
    text: `
      SELECT dimension, sum(clicks)::int AS clicks, sum(bots)::int AS bots,
        sum(visitors)::int AS visitors, sum(scans)::int AS scans
      FROM analytics.${table}
      WHERE link_pk = -1
      GROUP BY dimension
      ORDER BY dimension`,
    values: [],
  });
}

async function rawSums() {
  const [row] = await query<{ clicks: number; bots: number }>(sql`
    SELECT count(*) FILTER (WHERE NOT bot)::int AS clicks, count(*) FILTER (WHERE bot)::int AS bots,
      count(*) FILTER (WHERE first_of_workspace)::int AS visitors,
      count(*) FILTER (WHERE qr AND NOT bot)::int AS scans
    FROM analytics.click`);
  return row;
}

async function rollAll(): Promise<void> {
  while ((await rollSlots(at(2))) > 0);
  await rollDays(at(2));
}

test("every dimension of slots and of days adds up to the raw clicks", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 3_000, from: at(-3, 20), until: at(-1, 4) });
  await rollAll();
  const raw = await rawSums();
  const slots = await sums("value_slot");
  expect(slots).toHaveLength(21);
  for (const { dimension, ...rest } of slots) expect([dimension, rest]).toEqual([dimension, raw]);
  const days = await sums("value_day");
  expect(days).toHaveLength(22);
  for (const { dimension, ...rest } of days) expect([dimension, rest]).toEqual([dimension, raw]);
  expect(await findDifferences()).toEqual([]);
});

test("values too long for an index, and values that differ in the last character only, count separately", async () => {
  await putClicks({ workspacePk: scope.workspacePk, count: 60, from: at(-1), until: at(-1, 0.2) });
  const long = "x".repeat(32_000);
  await query(
    sql`UPDATE analytics.click SET url = ${`https://a.example/${long}1`} WHERE link_pk = 1`,
  );
  await query(
    sql`UPDATE analytics.click SET url = ${`https://a.example/${long}2`} WHERE link_pk = 2`,
  );
  await rollAll();
  const [row] = await query<{ n: number }>(sql`
    SELECT count(*) AS n FROM analytics.value_day WHERE dimension = 'url' AND length(value) > 32000`);
  expect(row?.n).toBe(2);
  expect(await findDifferences()).toEqual([]);
});

test("a late click rolls up its slot and its day again", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 500, from: at(-2), until: at(-1) });
  await rollAll();
  await putClicks({ workspacePk, count: 3, from: at(-2, 3), until: at(-2, 4) });
  await rollAll();
  const raw = await rawSums();
  const days = await sums("value_day");
  expect(days).toHaveLength(22);
  for (const { dimension, ...rest } of days) {
    expect([dimension, rest]).toEqual([dimension, raw]);
  }
  expect(await findDifferences()).toEqual([]);
});

test("six workers at once roll up every slot once", async () => {
  for (const workspacePk of [scope.workspacePk, 101, 102, 103]) {
    await putClicks({ workspacePk, count: 800, from: at(-1), until: at(0) });
  }
  const work = () => rollSlots(at(1));
  for (let round = 0; round < 3; round++)
    await Promise.all([work(), work(), work(), work(), work(), work()]);
  expect(await query(sql`SELECT 1 FROM analytics.touched_slot`)).toHaveLength(0);
  expect(await findDifferences()).toEqual([]);
});

test("clicks that are committed during the rollup of their slot keep it touched, without waiting", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 20, from: at(-1), until: at(-1, 0.2) });
  const ingest = await pool().connect();
  try {
    // Ingest has touched the slot and is not committed: rolling sees neither its clicks nor its mark.
    await ingest.query("BEGIN");
    await ingest.query(
      `INSERT INTO analytics.click SELECT at, link_pk, workspace_pk, domain_pk, bot, qr,
        first_of_link, first_of_workspace, gen_random_uuid() FROM analytics.click`,
    );
    await ingest.query("UPDATE analytics.touched_slot SET marks = marks + 1");
    const rolling = rollSlots(at(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await ingest.query("COMMIT");
    await rolling;
  } finally {
    ingest.release();
  }
  await rollAll();
  expect(await findDifferences()).toEqual([]);
  const [total] = (await sums("value_slot")).filter(({ dimension }) => dimension === "total");
  expect((total?.clicks ?? 0) + (total?.bots ?? 0)).toBe(40);
});

test("a worker that dies during a slot leaves it unchanged", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 300, from: at(-1), until: at(-1, 2) });
  await query(sql`
    CREATE FUNCTION analytics.die() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
  // The last statement of a slot.
  await query(sql`
    CREATE TRIGGER die AFTER INSERT ON analytics.touched_day
    FOR EACH STATEMENT EXECUTE FUNCTION analytics.die()`);
  await expect(rollSlots(at(1))).rejects.toThrow();
  await query(sql`DROP FUNCTION analytics.die() CASCADE`);
  expect(await query(sql`SELECT 1 FROM analytics.link_slot`)).toHaveLength(0);
  await rollAll();
  expect(await findDifferences()).toEqual([]);
});

test("every moment of a period is read from days, slots or raw clicks, and from one of them only", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 250, from: at(-5), until: at(-1, 12) });
  await rollAll();
  // A late click in the middle of a day, and one in a slot of the present day.
  await putClicks({ workspacePk, count: 1, from: at(-3, 7), until: at(-3, 7) });
  await putClicks({ workspacePk, count: 1, from: at(0), until: at(0) });
  const coverQuery = {
    workspacePk,
    from: at(-5, 3).getTime(),
    until: at(0, 1).getTime(),
    byMonths: false,
    byDays: true,
  };
  const cover = await coverOf(coverQuery);
  const hour = (days: number, hours = 0) => at(days, hours).getTime();
  expect(cover.days).toEqual([
    { from: hour(-4), until: hour(-3) },
    { from: hour(-2), until: hour(0) },
  ]);
  expect(cover.raw).toEqual([
    { from: hour(-3, 7), until: hour(-3, 7) + slotMs },
    { from: hour(0), until: hour(0) + slotMs },
  ]);
  const all = [...cover.days, ...cover.slots, ...cover.raw].sort((a, b) => a.from - b.from);
  expect(all[0]?.from).toBe(coverQuery.from);
  expect(all.at(-1)?.until).toBe(coverQuery.until);
  for (const [which, range] of all.slice(1).entries()) expect(range.from).toBe(all[which]?.until);
  expect((await coverOf({ ...coverQuery, byDays: false })).days).toEqual([]);
});

test("the sources of a plan add up to the raw clicks of the period, to the click", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 300, from: at(-4), until: at(0) });
  await rollAll();
  await putClicks({ workspacePk, count: 50, from: at(-2, 1), until: at(-2, 9) });
  for (const [from, until] of [
    [at(-4), at(0)],
    [at(-3, 5.25), at(-1, 17.5)],
    [at(-2, 1), at(-2, 2)],
  ] as const) {
    const cover = await coverOf({
      workspacePk,
      from: from.getTime(),
      until: until.getTime(),
      byMonths: true,
      byDays: true,
    });
    const part = async (table: string, ranges: { from: number; until: number }[]) => {
      let total = 0;
      for (const range of ranges) {
        const column = table === "click" ? "at" : "start";
        const what = table === "click" ? "count(*)" : "coalesce(sum(clicks + bots), 0)";
        const rows = await query<{ n: number }>({
          text: `SELECT ${what}::int AS n FROM analytics.${table}
            WHERE workspace_pk = $1 AND ${column} >= $2 AND ${column} < $3`,
          values: [workspacePk, new Date(range.from), new Date(range.until)],
        });
        total += rows[0]?.n ?? 0;
      }
      return total;
    };
    const read =
      (await part("link_month", cover.months)) +
      (await part("link_day", cover.days)) +
      (await part("link_slot", cover.slots)) +
      (await part("click", cover.raw));
    const [raw] = await query<{ n: number }>(sql`
      SELECT count(*) AS n
      FROM analytics.click
      WHERE workspace_pk = ${workspacePk} AND at >= ${from} AND at < ${until}`);
    expect(read).toBe(raw?.n);
  }
});

test("a new zone gets its days, also across daylight saving, and no click is in two of them", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 280, from: at(-25), until: at(-1) });
  await rollAll();
  await updateWorkspace(scope, { zone: "America/St_Johns" });
  await rollDays(at(2));
  await rollDays(at(2));
  const days = await query<{ start: Date; until: Date; zone: string }>(sql`
    SELECT start, until, zone FROM analytics.rolled_day ORDER BY start`);
  expect(new Set(days.map(({ zone }) => zone))).toEqual(new Set(["America/St_Johns"]));
  for (const [which, day] of days.slice(1).entries()) expect(day.start).toEqual(days[which]?.until);
  const raw = await rawSums();
  for (const { dimension, ...rest } of await sums("value_day")) {
    expect([dimension, rest]).toEqual([dimension, raw]);
  }
  expect(await findDifferences()).toEqual([]);
});

test("days of a former zone that have no slots any more stay, and end where the new zone begins", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 280, from: at(-96), until: at(-84) });
  await rollAll();
  await updateWorkspace(scope, { zone: "Asia/Kathmandu" });
  await rollDays();
  await rollDays();
  const days = await query<{ start: Date; until: Date; zone: string }>(sql`
    SELECT start, until, zone FROM analytics.rolled_day ORDER BY start`);
  expect(new Set(days.map(({ zone }) => zone))).toEqual(new Set(["UTC", "Asia/Kathmandu"]));
  for (const [which, day] of days.slice(1).entries()) expect(day.start).toEqual(days[which]?.until);
  const raw = await rawSums();
  const [total] = (await sums("value_day")).filter(({ dimension }) => dimension === "total");
  expect(total).toMatchObject(raw ?? {});
});

test("slots are dropped by the month, and their days answer from then on", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 100, from: at(-140), until: at(-138) });
  await rollAll();
  await maintainRollups();
  await maintainRollups();
  expect(await query(sql`SELECT 1 FROM analytics.value_slot`)).toHaveLength(0);
  const cover = await coverOf({
    workspacePk,
    from: at(-141).getTime(),
    until: at(0).getTime(),
    byMonths: false,
    byDays: false,
  });
  expect(cover.days).toEqual([{ from: at(-140).getTime(), until: at(-138).getTime() }]);
  expect(await findDifferences()).toEqual([]);
});

test("a rebuild names rows that were changed by hand, and corrects them", async () => {
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 2_000, from: at(-2), until: at(0) });
  await rollAll();
  await query(
    sql`UPDATE analytics.value_slot SET clicks = clicks + 1 WHERE start = ${at(-2, 3)} AND dimension = 'os'`,
  );
  await query(sql`DELETE FROM analytics.link_slot WHERE start = ${at(-2, 4)}`);
  await query(
    sql`UPDATE analytics.value_day SET value = 'nobody' WHERE dimension = 'hour' AND value = '07' AND start = ${at(-1)}`,
  );
  const found = await findDifferences();
  expect(found.map(({ table, start }) => [table, start])).toEqual([
    ["link_slot", at(-2, 4)],
    ["value_slot", at(-2, 3)],
    ["value_day", at(-1)],
  ]);
  expect(await rebuild()).toEqual(found);
  expect(await findDifferences()).toEqual([]);
});
