import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { maintainRollups } from "#lib/analytics/rollups";
import { editDomain, transferDomain } from "#lib/links/domains";
import { editDomainBody } from "#lib/links/domains/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { clearStatistics } from "../../../test/clicks.ts";
import {
  claimDomain,
  countVisits,
  dayMs,
  morning,
  putUsualVisits,
  putVisits,
  today,
} from "../../../test/domain-visits.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkHealth, dismissDomainAlarm, getDomainHealth } from "./index.ts";

let answer: { status: number; body: string } = { status: 200, body: '{"blocked":[]}' };
const asked: string[] = [];
const server = createServer((req, res) => {
  asked.push(req.url ?? "");
  res.writeHead(answer.status).end(answer.body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const checkerUrl = `http://127.0.0.1:${port}/check?domain={domain}`;

openTestStores({
  FUXI_DOMAINS_TRUSTED: "yes",
  FUXI_FETCH: "loopback",
  FUXI_DOMAIN_CHECKER: checkerUrl,
  // Domains are asked at the port of the instance.
  FUXI_URL: `http://localhost:${port}`,
});

let ada: WorkspaceScope;
let eve: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  await maintainRollups();
  return () => void server.close();
});
beforeEach(async () => {
  await clearStatistics();
  await query(sql`DELETE FROM domain`);
  await query(sql`DELETE FROM notice`);
  answer = { status: 200, body: '{"blocked":[]}' };
  asked.length = 0;
});

const kindsOf = async (scope: WorkspaceScope) =>
  (await listNotifications(scope)).map(({ kind }) => kind);

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

test("a domain that WeChat stops opening is reported once with its evidence, also when the job runs twice", async () => {
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 2);
  await putVisits(ada, { slug, from: 1, until: 1, browser: "WeChat", count: 1 });
  await Promise.all([checkHealth(morning(0)), checkHealth(morning(0))]);
  await checkHealth(new Date(morning(0).getTime() + 7_200_000));
  const health = await getDomainHealth(ada, slug);
  const yesterday = new Date(today - dayMs).toISOString().slice(0, 10);
  expect(health.comparedUntil).toBe(yesterday);
  expect(health.alarms).toEqual([
    {
      app: "wechat",
      source: "visits",
      since: yesterday,
      foundAt: expect.any(String),
      dismissed: false,
      appealUrl: "https://weixin110.qq.com",
      evidence: {
        days: 1,
        visits: 61,
        inApp: 1,
        share: 1 / 61,
        visitsBefore: 100,
        inAppBefore: 40,
        shareBefore: expect.closeTo(0.4, 6),
        until: yesterday,
        oneIn: expect.any(Number),
      },
    },
  ]);
  expect(health.alarms[0]?.evidence?.oneIn).toBeGreaterThanOrEqual(10_000);
  expect(health.apps).toEqual([expect.objectContaining({ app: "wechat", state: "fallen" })]);
  expect(await kindsOf(ada)).toEqual(["domain.blocked"]);
  const mails = await query(sql`SELECT FROM notice WHERE mail_due`);
  expect(mails).toHaveLength(1);
});

test("usual visits are compared and raise no alarm; bots and other domains count for nothing", async () => {
  const slug = await claimDomain(ada);
  const other = await claimDomain(ada);
  await putUsualVisits(ada, slug, 1);
  // With these the share would have fallen to a tenth.
  await putVisits(
    ada,
    { slug, from: 1, until: 1, browser: "Chrome", count: 900, bot: true },
    { slug: other, from: 1, until: 1, browser: "Chrome", count: 900 },
  );
  await checkHealth(morning(0));
  const health = await getDomainHealth(ada, slug);
  expect(health.alarms).toEqual([]);
  expect(health.apps).toEqual([
    expect.objectContaining({ app: "wechat", state: "usual", inApp: 40, visits: 100 }),
  ]);
  expect((await getDomainHealth(ada, other)).apps).toEqual([]);
  expect(await kindsOf(ada)).toEqual([]);
});

test("a day whose clicks are not counted yet waits", async () => {
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 2);
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    VALUES (${ada.workspacePk}, ${new Date(today - dayMs / 2)})`);
  await checkHealth(morning(0));
  expect(await getDomainHealth(ada, slug)).toMatchObject({ comparedUntil: null, alarms: [] });
  await countVisits();
  await checkHealth(new Date(morning(0).getTime() + 3_600_000));
  expect((await getDomainHealth(ada, slug)).alarms).toHaveLength(1);
});

test("an alarm ends when visits are back, and not before", async () => {
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 3);
  await checkHealth(morning(-1));
  await checkHealth(morning(0));
  expect((await getDomainHealth(ada, slug)).alarms).toHaveLength(1);
  await putVisits(ada, { slug, from: 1, until: 1, browser: "WeChat", count: 40 });
  // The day was compared already: it counts with the next one.
  await query(sql`UPDATE domain_health SET judged_day = judged_day - 1, due_at = ${morning(-2)}`);
  await checkHealth(morning(0));
  expect((await getDomainHealth(ada, slug)).alarms).toEqual([]);
  expect(await kindsOf(ada)).toEqual(["domain.unblocked", "domain.blocked"]);
});

test("a dismissed alarm stays silent, is in the audit log, and ends after five weeks", async () => {
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 3);
  await checkHealth(morning(-1));
  await dismissDomainAlarm(ada, slug, "wechat");
  const { alarms } = await getDomainHealth(ada, slug);
  expect(alarms).toEqual([expect.objectContaining({ app: "wechat", dismissed: true })]);
  await dismissDomainAlarm(ada, slug, "wechat");
  const audit = await query(sql`SELECT FROM audit WHERE action = 'domain.dismiss_alarm'`);
  expect(audit).toHaveLength(1);
  await checkHealth(morning(0));
  expect(await kindsOf(ada)).toEqual(["domain.blocked"]);
  await query(sql`UPDATE domain_alarm SET dismissed_at = ${new Date(today - 36 * dayMs)}`);
  await query(sql`UPDATE domain_health SET judged_day = judged_day - 1, due_at = ${morning(-2)}`);
  await checkHealth(morning(0));
  // The visits of these weeks are still those of the alarm, so it is raised anew: nothing is silent forever.
  expect((await getDomainHealth(ada, slug)).alarms.some(({ dismissed }) => dismissed)).toBe(false);
});

test("another workspace sees nothing, members without the permission dismiss nothing", async () => {
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 2);
  await checkHealth(morning(0));
  const viewer = await joinTestScope(ada, `viewer-${slug}`, "viewer");
  expect((await getDomainHealth(viewer, slug)).alarms).toHaveLength(1);
  expect(await codeOf(dismissDomainAlarm(viewer, slug, "wechat"))).toBe("forbidden");
  const uncounted = { ...viewer, permissions: new Set(["domains.read"] as const) };
  expect(await codeOf(getDomainHealth(uncounted, slug))).toBe("forbidden");
  expect(await codeOf(getDomainHealth(eve, slug))).toBe("not_found");
  expect(await codeOf(dismissDomainAlarm(eve, slug, "wechat"))).toBe("not_found");
  await dismissDomainAlarm(ada, slug, "qq");
  expect((await getDomainHealth(ada, slug)).alarms[0]?.dismissed).toBe(false);
  expect(await kindsOf(eve)).toEqual([]);
  expect(await kindsOf(viewer)).toEqual([]);
});

test("a transferred or renamed domain takes no alarm and no visits along", async () => {
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 2);
  await checkHealth(morning(0));
  const userId = String(ada.userId);
  const place = `second-${slug.split(".")[0]}`;
  await createWorkspace(userId, { name: "Second", slug: place });
  const second = await openWorkspace(userId, place);
  if (!second) throw new Error("No scope");
  await transferDomain(ada, slug, second.workspaceId);
  expect(await getDomainHealth(second, slug)).toMatchObject({
    alarms: [],
    apps: [],
    comparedUntil: null,
  });
  await checkHealth(new Date(morning(0).getTime() + 7_200_000));
  expect(await getDomainHealth(second, slug)).toMatchObject({ alarms: [], apps: [] });
  expect(await kindsOf(second)).toEqual([]);

  const old = await claimDomain(ada);
  await putUsualVisits(ada, old, 2);
  await checkHealth(new Date(morning(0).getTime() + 10_800_000));
  expect((await getDomainHealth(ada, old)).alarms).toHaveLength(1);
  const renamed = `renamed-${old}`;
  await editDomain(ada, old, editDomainBody.parse({ slug: renamed }));
  expect(await getDomainHealth(ada, renamed)).toMatchObject({ alarms: [], apps: [] });
  await checkHealth(new Date(morning(0).getTime() + 14_400_000));
  expect(await getDomainHealth(ada, renamed)).toMatchObject({ alarms: [], apps: [] });
});

test("the checker service is asked once a day, and what it says raises and ends alarms", async () => {
  const slug = await claimDomain(ada);
  answer = { status: 200, body: '{"blocked":["qq","unknown-app"]}' };
  await checkHealth(morning(0));
  await checkHealth(new Date(morning(0).getTime() + 7_200_000));
  expect(asked.filter((url) => url.startsWith("/check"))).toEqual([`/check?domain=${slug}`]);
  const health = await getDomainHealth(ada, slug);
  expect(health.checker).toMatchObject({ blockedIn: ["qq"] });
  expect(health.alarms).toEqual([
    expect.objectContaining({
      app: "qq",
      source: "checker",
      evidence: null,
      appealUrl: "https://urlsec.qq.com",
    }),
  ]);
  answer = { status: 200, body: '{"blocked":[]}' };
  await checkHealth(morning(2));
  expect((await getDomainHealth(ada, slug)).alarms).toEqual([]);
  expect(await kindsOf(ada)).toEqual(["domain.unblocked", "domain.blocked"]);
});

test.each([
  [500, '{"blocked":["qq"]}'],
  [404, ""],
  [200, "<html>blocked</html>"],
  [200, '{"blocked":true}'],
  [200, '{"blocked":"qq"}'],
  [200, "[]"],
])(
  "a checker that answers %i with %s neither blocks a domain nor ends an alarm",
  async (status, body) => {
    const slug = await claimDomain(ada);
    answer = { status, body };
    await checkHealth(morning(0));
    expect(await getDomainHealth(ada, slug)).toMatchObject({ checker: null, alarms: [] });
    answer = { status: 200, body: '{"blocked":["qq"]}' };
    await checkHealth(morning(1));
    answer = { status, body };
    await checkHealth(morning(3));
    expect((await getDomainHealth(ada, slug)).alarms).toHaveLength(1);
  },
);

test("a failing checker is left alone after three failures in a run", async () => {
  for (let count = 0; count < 60; count++) await claimDomain(ada);
  answer = { status: 500, body: "" };
  await checkHealth(morning(0));
  const questions = asked.filter((url) => url.startsWith("/check"));
  // Twenty are asked at once.
  expect(questions.length).toBeLessThanOrEqual(23);
});

test("a domain that is no longer verified is asked about no more, and its alarms end", async () => {
  const slug = await claimDomain(ada);
  answer = { status: 200, body: '{"blocked":["qq"]}' };
  await checkHealth(morning(0));
  await query(sql`UPDATE domain SET verified_at = NULL WHERE slug = ${slug}`);
  asked.length = 0;
  await checkHealth(morning(2));
  expect(asked).toEqual([]);
  expect(await getDomainHealth(ada, slug)).toMatchObject({ checker: null, alarms: [] });
  expect(await kindsOf(ada)).toEqual(["domain.blocked"]);
});

test("whether a domain answers is known after its first check", async () => {
  const slug = await claimDomain(ada);
  const unknown = { state: "unknown", checkedAt: null };
  expect(await getDomainHealth(ada, slug)).toMatchObject({
    dns: unknown,
    answer: unknown,
    certificate: unknown,
    checker: null,
  });
  await checkHealth(morning(0));
  const checkedAt = morning(0).toISOString();
  expect(await getDomainHealth(ada, slug)).toMatchObject({
    answer: { state: "ok", status: 200, checkedAt },
    certificate: { state: "none", checkedAt },
  });
  expect(asked).toContain("/robots.txt");
  answer = { status: 503, body: "" };
  // Within the hour, it is not asked again.
  await checkHealth(new Date(morning(0).getTime() + 3_000_000));
  expect(await getDomainHealth(ada, slug)).toMatchObject({ answer: { state: "ok" } });
  await checkHealth(new Date(morning(0).getTime() + 3_700_000));
  expect(await getDomainHealth(ada, slug)).toMatchObject({
    answer: { state: "error", status: 503 },
  });
});

test("a domain that stops answering is told after two checks in a row, once a day", async () => {
  await claimDomain(ada);
  const check = async (hours: number, status: number) => {
    answer = { status, body: "" };
    await checkHealth(new Date(morning(0).getTime() + hours * 3_600_000));
    return (await kindsOf(ada)).length;
  };
  // One that never answered is not set up yet.
  expect([await check(0, 503), await check(1, 503)]).toEqual([0, 0]);
  expect([await check(2, 200), await check(3, 503)]).toEqual([0, 0]);
  expect([await check(4, 503), await check(5, 503)]).toEqual([1, 1]);
  expect(await kindsOf(ada)).toEqual(["domain.silent"]);
  expect([await check(6, 200), await check(7, 503), await check(8, 503)]).toEqual([1, 1, 1]);
  expect([await check(29, 404), await check(30, 503), await check(31, 503)]).toEqual([1, 1, 2]);
});
