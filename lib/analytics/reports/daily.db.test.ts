import { beforeAll, expect, test } from "vitest";
import { maintainRollups, rollDays, rollSlots } from "#lib/analytics/rollups";
import { openLinks } from "#lib/links/creating";
import { getLink } from "#lib/links/reading";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { putClicks } from "../../../test/clicks.ts";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countDaily } from "./daily.ts";
import { askAnalytics } from "./index.ts";
import { analyticsQuery, dailyDays, dailyLinksMax } from "./schema.ts";

openTestStores();

const dayMs = 86_400_000;
let scope: WorkspaceScope;
let other: WorkspaceScope;
let ids: string[] = [];

/** Clicks of 40 days, including an unfinished hour, on three links of a workspace far from UTC. */
beforeAll(async () => {
  await openLinks();
  await maintainRollups();
  const created = await makeTestScope("daily");
  other = await makeTestScope("daily-other");
  await updateWorkspace(created, { zone: "Pacific/Auckland" });
  scope = (await openWorkspace(String(created.userId), created.slug)) ?? created;
  const links = await make(
    scope,
    Array.from({ length: 3 }, () => ({ url: "https://a.example/" })),
  );
  ids = links.map(({ id }) => id);
  for (const [at, id] of ids.slice(0, 2).entries()) {
    const { pk } = await getLink(scope, id);
    const until = new Date();
    const from = new Date(until.getTime() - 40 * dayMs);
    const count = 2_000 * (at + 1);
    const { workspacePk } = scope;
    await putClicks({ workspacePk, count, from, until, links: { first: pk, count: 1 } });
  }
  await rollSlots();
  await rollDays();
  // Three slots of the past are late: they are counted from their clicks.
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT ${scope.workspacePk}, date_bin('15 minutes', now() - n * interval '3 days', 'epoch')
    FROM generate_series(1, 3) AS n
    ON CONFLICT (workspace_pk, slot) DO UPDATE SET marks = touched_slot.marks + 1`);
});

test("each day of each link equals its chart, in the zone of the workspace", async () => {
  const daily = await countDaily(scope, ids);
  expect([...daily.keys()].sort()).toEqual(ids.slice(0, 2).sort());
  for (const id of ids.slice(0, 2)) {
    const { answer } = await askAnalytics(
      scope,
      analyticsQuery.parse({
        groupBy: "timeseries",
        linkId: id,
        timezone: "Pacific/Auckland",
        start: new Date(Date.now() - 35 * dayMs).toISOString(),
        // Not later: the last minute of a day in the zone would be another day.
        end: new Date().toISOString(),
        granularity: "day",
      }),
    );
    const chart = Object.values(answer).map((bucket) => Number(Object(bucket).clicks));
    const series = daily.get(id) ?? [];
    expect(series).toHaveLength(dailyDays);
    expect(series).toEqual(chart.slice(-dailyDays));
    // Today has just begun somewhere.
    expect(Math.min(...series.slice(0, -1))).toBeGreaterThan(0);
  }
});

test("the statement reads no click that is rolled up", async () => {
  const series = [...(await countDaily(scope, ids)).values()];
  await query(sql`
    DELETE FROM analytics.click
    WHERE workspace_pk = ${scope.workspacePk}
      AND date_bin('15 minutes', at, 'epoch') NOT IN (
        SELECT slot FROM analytics.touched_slot WHERE workspace_pk = ${scope.workspacePk})`);
  expect([...(await countDaily(scope, ids)).values()]).toEqual(series);
});

test("links of other workspaces have no days, nor have invalid ids, nor links beyond a page", async () => {
  expect(await countDaily(other, ids)).toEqual(new Map());
  expect(await countDaily(scope, ["nonsense", ""])).toEqual(new Map());
  const nonsense = Array.from({ length: dailyLinksMax }, (_, at) => `link_${at}`);
  expect((await countDaily(scope, [...nonsense.slice(1), ids[0] ?? ""])).size).toBe(1);
  expect((await countDaily(scope, [...nonsense, ids[0] ?? ""])).size).toBe(0);
  const viewer = await joinTestScope(scope, "daily-vic", "viewer");
  expect((await countDaily(viewer, ids)).size).toBe(2);
});
