import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ensureRollups, slotsKeptDays, wholeWorkspace } from "#lib/analytics/rollups";
import { dayMs } from "#lib/basics/time/schema";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { OperatorScope } from "#lib/tenancy/operators";
import { make } from "../../../test/links.ts";
import { makeTestOperator } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { filledDaysMax, recordDays, recordedDaysMax } from "./daily.ts";
import { readUsage } from "./index.ts";
import { tablesMax } from "./storage.ts";

openTestStores();

let ada: WorkspaceScope;
let operator: OperatorScope;
const now = Date.now();
const today = Math.floor(now / dayMs);

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  ({ operator } = await makeTestOperator("root"));
  await make(ada, [{ url: "https://example.com/one" }, { url: "https://example.com/two" }]);
});

beforeEach(async () => {
  await query(sql`DELETE FROM instance_day`);
  await startInstance(today);
});

/** As if the instance was set up on this day. */
async function startInstance(nth: number): Promise<void> {
  await query(
    sql`INSERT INTO installation (code_fingerprint) VALUES ('test') ON CONFLICT DO NOTHING`,
  );
  await query(sql`UPDATE installation SET created_at = ${new Date(nth * dayMs)}`);
}

async function addClicks(table: "value_slot" | "value_day", at: number, clicks: number) {
  await ensureRollups([at]);
  await query({
    text: `INSERT INTO analytics.${table}
      (start, link_pk, workspace_pk, dimension, clicks, visitors, scans, bots, value)
      VALUES ($1, $2, $3, 'total', $4, 1, 0, 0, '')`,
    values: [new Date(at), wholeWorkspace, ada.workspacePk, clicks],
  });
}

async function recorded(ago: number) {
  const [row] = await query<Record<"links" | "clicks" | "workspaces" | "people", number>>(sql`
    SELECT links, clicks, workspaces, people
    FROM instance_day WHERE day = '1970-01-01'::date + ${today - ago}::int`);
  return row;
}

test("today has its links, workspaces, accounts and clicks, however often it is recorded", async () => {
  await addClicks("value_slot", today * dayMs, 7);
  await addClicks("value_slot", (today + 1) * dayMs, 1_000);
  await recordDays(now);
  await recordDays(now);
  expect(await recorded(0)).toEqual({ links: 2, clicks: 7, workspaces: 1, people: 2 });
  const usage = await readUsage(operator, 30, now);
  expect(usage.days).toHaveLength(30);
  expect(usage.days.at(-1)).toMatchObject({ links: 2, clicks: 7 });
  expect(usage.days.at(0)).toMatchObject({ links: 0, clicks: 0 });
});

test("a number of a day never decreases", async () => {
  await recordDays(now);
  await query(sql`UPDATE instance_day SET links = 50, clicks = 60`);
  await recordDays(now);
  expect(await recorded(0)).toMatchObject({ links: 50, clicks: 60 });
});

test("clicks of days without quarter hours come from days of each workspace’s time zone", async () => {
  const ago = slotsKeptDays;
  await startInstance(today - ago);
  await query(sql`UPDATE workspace SET zone = 'Asia/Shanghai' WHERE pk = ${ada.workspacePk}`);
  const midnight = (today - ago) * dayMs - 8 * 3_600_000;
  await addClicks("value_day", midnight, 30);
  await addClicks("value_day", midnight - dayMs, 500);
  await addClicks("value_day", midnight + dayMs, 500);
  for (let run = 0; run < 4; run++) await recordDays(now);
  expect(await recorded(ago)).toMatchObject({ clicks: 30 });
});

test("missing days are filled some at a time, up to a year, and none before the instance", async () => {
  await startInstance(today - recordedDaysMax - 10);
  expect(await recordDays(now)).toBe(3 + filledDaysMax);
  let last = 0;
  for (let run = 0; run < 12; run++) last = await recordDays(now);
  expect(last).toBe(3);
  const days = () => query(sql`SELECT 1 FROM instance_day`);
  expect(await days()).toHaveLength(recordedDaysMax);
  await query(sql`DELETE FROM instance_day`);
  await startInstance(today - 4);
  await recordDays(now);
  expect(await days()).toHaveLength(5);
});

test("sizes and slugs of a day are recorded while it runs, and give its growth", async () => {
  await recordDays(now);
  const first = await readUsage(operator, 30, now);
  expect(first.storage.bytesPerDay).toBe(null);
  const [yesterday] = await query<{ bytes: number }>(sql`
    UPDATE instance_day SET day = day - 1, database_bytes = database_bytes - 10000000, codes_leased = 0
    RETURNING database_bytes::float8 AS bytes`);
  const { storage, codes } = await readUsage(operator, 30, now);
  // PostgreSQL itself makes the database smaller at times.
  expect(storage.bytesPerDay).toBe(storage.databaseBytes - (yesterday?.bytes ?? 0));
  expect(storage.bytesPerDay).toBeGreaterThan(1_000_000);
  expect(codes.perDay).toBe(codes.nextBlock);
});

test("the state of slugs and stores is what they say, and null without Redis", async () => {
  // On a busy machine, Redis may be given up before it answers.
  const { codes, storage } = await vi.waitFor(async () => {
    const usage = await readUsage(operator, 365, now);
    expect(usage.codes.block).toMatchObject({ end: expect.any(Number) });
    return usage;
  }, 60_000);
  const { start = 0, next = 0, end = 0 } = codes.block ?? {};
  expect(next).toBeGreaterThan(start);
  expect(next).toBeLessThanOrEqual(end);
  expect(codes.nextBlock).toBeGreaterThanOrEqual(end);
  expect(storage.databaseBytes).toBeGreaterThan(1_000_000);
  expect(storage.redis?.usedBytes).toBeGreaterThan(100_000);
  expect(storage.tables).toHaveLength(tablesMax);
  const names = storage.tables.map(({ name }) => name);
  expect(names.filter((name) => /\d{6}/.test(name))).toEqual([]);
  await redis().del("pk:block");
  expect((await readUsage(operator, 30, now)).codes.block).toBe(null);
});

test("today counts what was created since the last recording, and never less than that", async () => {
  await recordDays(now);
  const last = async () => (await readUsage(operator, 30, now)).days.at(-1);
  const { links = 0, workspaces = 0, people = 0 } = (await last()) ?? {};
  await make(ada, [{ url: "https://example.com/later" }]);
  await makeTestScope("late");
  const later = { links: links + 1, workspaces: workspaces + 1, people: people + 1 };
  expect(await last()).toMatchObject(later);
  await query(sql`UPDATE instance_day SET links = 50, workspaces = 60`);
  expect(await last()).toMatchObject({ links: 50, workspaces: 60, people: people + 1 });
});
