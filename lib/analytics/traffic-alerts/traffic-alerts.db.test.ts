import { beforeAll, beforeEach, expect, test } from "vitest";
import { slotOf } from "#lib/analytics/time-slots";
import { dayMs, hourMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { putClicks } from "../../../test/clicks.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkTraffic, getTrafficAlert, setTrafficAlert } from "./index.ts";

openTestStores();

let ada: WorkspaceScope;
let member: WorkspaceScope;
let now: Date;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  member = await joinTestScope(ada, "mia", "member");
  await query(sql`UPDATE workspace SET created_at = now() - interval '1 year'`);
  now = new Date(slotOf(Date.now()));
});

beforeEach(async () => {
  await query(sql`DELETE FROM notice`);
  await query(sql`DELETE FROM traffic_alert`);
  await query(sql`DELETE FROM analytics.value_slot`);
});

/** People’s clicks in the compared hours, some weeks ago. */
async function addClicks(weeksAgo: number, clicks: number): Promise<void> {
  const start = new Date(now.getTime() - 2 * hourMs - weeksAgo * 7 * dayMs);
  await putClicks({ workspacePk: ada.workspacePk, count: 0, from: start, until: start });
  await query(sql`
    INSERT INTO analytics.value_slot
      (start, link_pk, workspace_pk, dimension, clicks, visitors, scans, bots, value)
    VALUES (${start}, -1, ${ada.workspacePk}, 'total', ${clicks}, 0, 0, 0, '')`);
}

async function kindsOf(): Promise<string[]> {
  const rows = await query<{ kind: string }>(sql`SELECT kind FROM notice ORDER BY pk`);
  return rows.map(({ kind }) => kind);
}

test("a rise and a fall are told once a day each", async () => {
  await setTrafficAlert(ada, { riseTimes: 3, fallPercent: 75 });
  for (const week of [1, 2, 3, 4]) await addClicks(week, 200);
  expect(await checkTraffic(now)).toBe(1);
  expect(await checkTraffic(new Date(now.getTime() + 1_000))).toBe(0);
  expect(await kindsOf()).toEqual(["clicks.falling"]);
  await addClicks(0, 900);
  expect(await checkTraffic(now)).toBe(1);
  expect(await kindsOf()).toEqual(["clicks.falling", "clicks.rising"]);
  const told = await query.one<{ details: object; mail_due: boolean }>(sql`
    SELECT details, mail_due FROM notice WHERE kind = 'clicks.rising'`);
  expect(told).toEqual({ details: { clicks: 900, usual: 200, hours: 3 }, mail_due: true });
});

test("workers that compare at the same time tell once", async () => {
  await setTrafficAlert(ada, { riseTimes: 3, fallPercent: null });
  for (const week of [1, 2, 3, 4]) await addClicks(week, 200);
  await addClicks(0, 900);
  const told = await Promise.all([checkTraffic(now), checkTraffic(now), checkTraffic(now)]);
  expect(told.toSorted()).toEqual([0, 0, 1]);
});

test("nothing is told of a workspace that is younger than the weeks, or did not ask", async () => {
  for (const week of [1, 2, 3, 4]) await addClicks(week, 200);
  expect(await checkTraffic(now)).toBe(0);
  await setTrafficAlert(ada, { riseTimes: 3, fallPercent: 75 });
  await query(sql`UPDATE workspace SET created_at = now() - interval '20 days'`);
  expect(await checkTraffic(now)).toBe(0);
  await query(sql`UPDATE workspace SET created_at = now() - interval '1 year'`);
  expect(await checkTraffic(now)).toBe(1);
});

test("nothing is told while clicks wait to be counted", async () => {
  await setTrafficAlert(ada, { riseTimes: null, fallPercent: 75 });
  for (const week of [1, 2, 3, 4]) await addClicks(week, 200);
  const stream = redisKeys.clickStream(0);
  await redis("clicks").xadd(stream, `${Date.now() - hourMs}-0`, "e", "waiting");
  expect(await checkTraffic(now)).toBe(0);
  await redis("clicks").del(stream);
  expect(await checkTraffic(now)).toBe(1);
});

test("owners and admins choose the thresholds", async () => {
  expect(await getTrafficAlert(member)).toEqual({ riseTimes: null, fallPercent: null });
  const alert = { riseTimes: 5, fallPercent: 90 };
  await expect(setTrafficAlert(member, alert)).rejects.toMatchObject({ code: "forbidden" });
  await setTrafficAlert(ada, alert);
  expect(await getTrafficAlert(member)).toEqual(alert);
});
