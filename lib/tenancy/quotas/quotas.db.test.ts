import { beforeEach, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { Connection, query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { countedNames, type QuotaName } from "#lib/tenancy/plans/schema";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { currentMonth, type QuotaOutcome, quotaOf, readUsage, takeQuota } from "./index.ts";

openTestStores();

let workspaces = 0;
let scope: WorkspaceScope;

beforeEach(async () => {
  scope = await onPlan("free");
});

async function onPlan(plan: string, zone = "UTC"): Promise<WorkspaceScope> {
  workspaces += 1;
  const { userId } = await makeTestScope(`p${workspaces}`);
  const slug = `plan-${workspaces}`;
  await createWorkspace(String(userId), { name: slug, slug, zone });
  await query(sql`UPDATE workspace SET plan = ${plan} WHERE slug = ${slug}`);
  const opened = await openWorkspace(String(userId), slug);
  if (!opened) throw new Error("The workspace cannot be opened");
  return opened;
}

function take(count: number, now?: Date, name: QuotaName = "links"): Promise<QuotaOutcome> {
  return transaction((tx) => takeQuota(tx, scope, name, count, now));
}

const max = plans.free.limits.links;

test("a plan's links of a month are admitted up to the last one, and a refused call is not counted", async () => {
  expect(await take(max - 1)).toEqual({ ok: true });
  expect(await take(2)).toMatchObject({ ok: false });
  expect(await take(1)).toEqual({ ok: true });
  const refused = await take(1);
  expect(refused).toMatchObject({ ok: false });
  expect(!refused.ok && refused.message).toMatch(
    /Free.*1000 new links per month.*change the plan/s,
  );
  expect((await readUsage(scope)).links).toEqual({ used: max, limit: max });
});

test("a call that alone exceeds the plan is refused, also as the first of its month", async () => {
  expect(await take(max + 1)).toMatchObject({ ok: false });
  expect((await readUsage(scope)).links.used).toBe(0);
});

test("a rollback counts nothing", async () => {
  const failing = transaction(async (tx) => {
    await takeQuota(tx, scope, "links", 10);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect((await readUsage(scope)).links.used).toBe(0);
});

test("80 calls at once for 30 links each are admitted exactly as often as the plan has room", async () => {
  const calls = Array.from({ length: 80 }, () => take(30));
  const admitted = (await Promise.all(calls)).filter(({ ok }) => ok);
  expect(admitted).toHaveLength(Math.floor(max / 30));
  expect((await readUsage(scope)).links.used).toBe(30 * Math.floor(max / 30));
});

test("a new month, in the workspace's zone, begins at zero", async () => {
  scope = await onPlan("free", "Pacific/Auckland");
  // Auckland is 13 hours ahead in January.
  expect(await take(max, new Date("2026-01-31T10:59:59Z"))).toEqual({ ok: true });
  expect(await take(1, new Date("2026-01-31T10:59:59Z"))).toMatchObject({ ok: false });
  expect(await take(1, new Date("2026-01-31T11:00:00Z"))).toEqual({ ok: true });
});

test("one workspace does not use up what another has", async () => {
  await take(max);
  scope = await onPlan("free");
  expect(await take(max)).toEqual({ ok: true });
});

test("without a limit no query is made", async () => {
  scope = await onPlan("enterprise");
  const closed = new Connection({
    query: () => {
      throw new Error("asked");
    },
  });
  for (const name of ["links", ...countedNames] as const) {
    expect(quotaOf(scope, name)).toBeNull();
    expect(await takeQuota(closed, scope, name, 1_000_000)).toEqual({ ok: true });
  }
  scope = await onPlan("free");
  await expect(takeQuota(closed, scope, "links", 1)).rejects.toThrow("asked");
});

test("20 tags made at once leave exactly as many as the plan has", async () => {
  const makeTag = (at: number) =>
    transaction(async (tx) => {
      const taken = await takeQuota(tx, scope, "tags", 1);
      if (!taken.ok) return false;
      await query(
        sql`
          INSERT INTO tag (id, workspace_pk, name, color)
          VALUES (${newId("tag")}, ${scope.workspacePk}, ${`t${at}`}, 'red')`,
        tx,
      );
      return true;
    });
  const created = await Promise.all(Array.from({ length: 20 }, (_, at) => makeTag(at)));
  expect(created.filter(Boolean)).toHaveLength(plans.free.limits.tags);
  expect((await readUsage(scope)).tags).toEqual({ used: 5, limit: 5 });
});

test("every counted kind is counted", async () => {
  const usage = await readUsage(scope);
  expect(usage.members).toEqual({ used: 1, limit: 1 });
  for (const name of countedNames) {
    const limit = plans.free.limits[name];
    expect(usage[name]).toEqual({ used: name === "members" ? 1 : 0, limit });
    const room = limit - (usage[name].used ?? 0);
    expect(await take(room, undefined, name)).toEqual({ ok: true });
    expect(await take(room + 1, undefined, name)).toMatchObject({ ok: false });
  }
});

test("the key of a removed member is not counted", async () => {
  const member = await joinTestScope(scope, `leaving${workspaces}`, "member");
  await query(sql`
    INSERT INTO api_key (id, workspace_pk, user_pk, name, hash, hint, scopes)
    SELECT 'key_' || user_pk, workspace_pk, user_pk, 'Key', int4send(user_pk), '', '{}'
    FROM membership
    WHERE workspace_pk = ${scope.workspacePk}`);
  expect((await readUsage(scope)).apiKeys.used).toBe(2);
  await query(sql`DELETE FROM membership WHERE user_pk = ${member.userPk}`);
  expect((await readUsage(scope)).apiKeys.used).toBe(1);
});

test("the current month ends where the next one of the workspace's zone begins, over a new year too", async () => {
  const eastern = await onPlan("free", "Asia/Shanghai");
  const before = currentMonth(eastern, new Date("2026-12-31T15:59:59Z"));
  expect(before).toEqual({ from: "2026-12-01", until: "2027-01-01" });
  const after = currentMonth(eastern, new Date("2026-12-31T16:00:00Z"));
  expect(after).toEqual({ from: "2027-01-01", until: "2027-02-01" });
});
