import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { config } from "#lib/platform/config";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { readPlanState, setPlan } from "#lib/tenancy/plan-changes";
import { takeQuota } from "#lib/tenancy/quotas";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { planJobs, reviewPlans, warnOfUsage } from "./index.ts";

openTestStores();

const dayMs = 86_400_000;
const start = new Date("2027-03-10T12:00:00Z");
const day = (days: number) => new Date(start.getTime() + days * dayMs);
let names = 0;
let scope: WorkspaceScope;

beforeEach(async () => {
  names += 1;
  scope = await makeTestScope(`warned${names}`);
});

async function put(body: Parameters<typeof setPlan>[2], now = start): Promise<void> {
  await setPlan(operatorOfCommandLine(), scope.workspaceId, body, now);
  const opened = await openWorkspace(String(scope.userId), scope.slug);
  if (opened) scope = opened;
}

const kinds = async (of = scope) => (await listNotifications(of)).map(({ kind }) => kind);
const planNow = async () => (await readPlanState(scope)).plan;

function takeLinks(count: number, now: Date) {
  return transaction((tx) => takeQuota(tx, scope, "links", count, now));
}

test("a plan with an end is announced 14 and 2 days before, once each, to owners only", async () => {
  const admin = await joinTestScope(scope, `admin${names}`, "admin");
  await put({ plan: "personal", endsAt: day(30).toISOString(), reason: "Contract" });
  await reviewPlans(day(15.9));
  expect(await kinds()).toEqual([]);
  await reviewPlans(day(16));
  await reviewPlans(day(17));
  expect(await kinds()).toEqual(["plan.ending"]);
  await Promise.all([reviewPlans(day(28)), reviewPlans(day(28))]);
  expect(await listNotifications(scope)).toMatchObject([
    { kind: "plan.ending", details: { plan: "personal", days: 2 } },
    { kind: "plan.ending", details: { plan: "personal", days: 14 } },
  ]);
  expect(await kinds(admin)).toEqual([]);
});

test("a plan ends at its moment and not before: then Free, without limits of its own, announced and audited once", async () => {
  await put({
    plan: "enterprise",
    limits: { links: 5 },
    endsAt: day(1).toISOString(),
    reason: "Pilot",
  });
  await reviewPlans(new Date(day(1).getTime() - 1));
  expect(await planNow()).toBe("enterprise");
  await Promise.all([reviewPlans(day(1)), reviewPlans(day(1))]);
  await reviewPlans(day(1));
  expect(await readPlanState(scope)).toEqual({
    ...{ plan: "free", limits: null, source: "default", endsAt: null, trialAt: null },
  });
  expect((await kinds()).filter((kind) => kind === "plan.ended")).toHaveLength(1);
  const audited = await query(sql`
    SELECT action, actor
    FROM audit
    WHERE workspace_pk = ${scope.workspacePk}
      AND action LIKE 'plan.%'
    ORDER BY id`);
  expect(audited).toEqual([
    { action: "plan.change", actor: "system" },
    { action: "plan.end", actor: "system" },
  ]);
});

test("a trial is announced 2 days before its end only, and cannot be set a second time", async () => {
  await put({ plan: "trial", reason: "Wish" });
  const state = await readPlanState(scope);
  expect(state.endsAt).toBe(day(10).toISOString());
  expect(state.trialAt).not.toBeNull();
  await reviewPlans(day(7.9));
  expect(await kinds()).toEqual([]);
  await reviewPlans(day(8));
  expect(await kinds()).toEqual(["plan.ending"]);
  await reviewPlans(day(10));
  expect(await planNow()).toBe("free");
  await expect(put({ plan: "trial", reason: "Again" }, day(11))).rejects.toMatchObject({
    code: "conflict",
    problem: { code: "had_trial" },
  });
});

test("ten trials set at once are one, and none follows it", async () => {
  await put({ plan: "free", reason: "Start" });
  const set = () =>
    setPlan(operatorOfCommandLine(), scope.workspaceId, { plan: "trial", reason: "Race" }, start);
  await Promise.allSettled(Array.from({ length: 10 }, set));
  await put({ plan: "free", reason: "End" });
  await expect(set()).rejects.toMatchObject({ code: "conflict" });
});

test("an invoice is entered once, needs an end, and the plan ends with it", async () => {
  const invoice = { number: `INV-${names}`, amount: "120.00", currency: "EUR" };
  const body = {
    plan: "personal",
    endsAt: day(365).toISOString(),
    reason: "Paid",
    invoice,
  } as const;
  await put(body);
  expect(await readPlanState(scope)).toMatchObject({ plan: "personal", source: "manual" });
  await expect(put(body)).rejects.toMatchObject({ code: "conflict" });
  await expect(put({ ...body, endsAt: start.toISOString() })).rejects.toMatchObject({
    code: "unprocessable_entity",
  });
  await reviewPlans(day(365));
  expect(await planNow()).toBe("free");
});

test("usage is announced at 70 % and at 90 %, once per quota and month, not below", async () => {
  await put({ plan: "free", limits: { links: 100, tags: 10 }, reason: "Small" });
  await takeLinks(69, start);
  await warnOfUsage(start);
  expect(await kinds()).toEqual([]);
  await takeLinks(1, start);
  await Promise.all([warnOfUsage(start), warnOfUsage(start)]);
  await warnOfUsage(start);
  expect(await listNotifications(scope)).toMatchObject([
    { kind: "quota.near", details: { quota: "links", percent: 70, used: 70, limit: 100 } },
  ]);
  await takeLinks(20, start);
  await warnOfUsage(start);
  await warnOfUsage(start);
  expect(await listNotifications(scope)).toMatchObject([
    { details: { quota: "links", percent: 90, used: 90 } },
    { details: { percent: 70 } },
  ]);
  const nextMonth = day(30);
  await warnOfUsage(nextMonth);
  expect(await kinds()).toHaveLength(2);
  await takeLinks(95, nextMonth);
  await warnOfUsage(nextMonth);
  expect(await listNotifications(scope)).toMatchObject([
    { details: { quota: "links", percent: 90, used: 95 } },
    {},
    {},
  ]);
});

test("the only member of a plan for one is nothing to announce, and plans without limits are not read", async () => {
  await put({ plan: "free", reason: "Free plan" });
  await warnOfUsage(start);
  await put({ plan: "enterprise", reason: "All" });
  await warnOfUsage(start);
  expect(await kinds()).toEqual([]);
});

/** The subject of a message, whose words are encoded in UTF-8 as base64. */
function decodeHeader(text: string): string {
  const [, header = ""] = /^Subject: ((?:.|\r?\n[ \t])*)/m.exec(text) ?? [];
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, words) => Buffer.from(words, "base64").toString());
}

test("an email goes to owners with a proven address, in their language, with a link to the plan", async () => {
  const mail = planJobs.find(({ name }) => name === "plans.mail");
  if (!mail) throw new Error("no job");
  const send = async () => {
    await mail.handle(
      Object(
        mail.schema.parse({
          workspacePk: scope.workspacePk,
          userPk: scope.userPk,
          name: "quotaNear",
          values: { percent: 90, quota: "links", used: 90, limit: 100 },
        }),
      ),
    );
  };
  const outbox = join(config().FUXI_DATA_DIR, "outbox");
  const sent = () => readdir(outbox).catch(() => []);
  await send();
  expect(await sent()).toHaveLength(0);
  await query(sql`
    UPDATE app_user SET email_proven_at = now(), locale = 'zh' WHERE pk = ${scope.userPk}`);
  await send();
  const [file] = await sent();
  const text = await readFile(join(outbox, String(file)), "utf8");
  expect(text).toContain(`/app/${scope.slug}/settings/plan`);
  const subject = `warned${names} 的用量已达上限的 90%`;
  expect(decodeHeader(text)).toContain(subject);
});
