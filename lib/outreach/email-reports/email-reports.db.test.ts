import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import { maintainRollups } from "#lib/analytics/rollups";
import { dayMs } from "#lib/basics/time/schema";
import { admitApiKey, createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { removeMember } from "#lib/tenancy/members";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { putClicks } from "../../../test/clicks.ts";
import { make } from "../../../test/links.ts";
import { startMailServer } from "../../../test/mail-server.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { claim, giveUpSilent, periodAt } from "./deliveries.ts";
import {
  confirmReportAddress,
  createReport,
  deleteReport,
  editReport,
  findReportRecipient,
  listReportDeliveries,
  listReports,
  previewReport,
  sendReports,
  stopReports,
} from "./index.ts";
import { confirmUrl, stopUrl } from "./links.ts";
import {
  confirmDays,
  mailsPerDayMax,
  type ReportBody,
  recipientsMax,
  reportBody,
  reportsMax,
} from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
/** A Tuesday, after seven o’clock in the zone of the workspace. */
let now: Date;

beforeAll(async () => {
  await openLinks();
  await maintainRollups();
  const unproven = await makeTestScope("ada");
  bob = await joinTestScope(unproven, "bob", "member");
  await query(sql`UPDATE app_user SET email_proven_at = now()`);
  ada = await reopen(unproven);
  bob = await reopen(bob);
  await make(ada, [{ url: "https://example.com/", key: "autumn" }]);
  const link = await query.one<{ pk: number }>(sql`SELECT pk FROM link WHERE key = 'autumn'`);
  now = new Date();
  await putClicks({
    workspacePk: ada.workspacePk,
    count: 2_000,
    from: new Date(now.getTime() - 20 * dayMs),
    until: now,
    links: { first: link?.pk ?? 0, count: 1 },
  });
});

async function reopen({ userId, slug }: WorkspaceScope): Promise<WorkspaceScope> {
  const scope = await openWorkspace(userId ?? "", slug);
  if (!scope) throw new Error(`No scope in ${slug}`);
  return scope;
}

const outbox = () => join(config().FUXI_DATA_DIR, "outbox");

beforeEach(async () => {
  await rm(outbox(), { recursive: true, force: true });
  await query(sql`DELETE FROM report_subscription`);
});

async function readMails(): Promise<string[]> {
  const files = await readdir(outbox()).catch(() => []);
  const mails = await Promise.all(files.map((file) => readFile(join(outbox(), file), "utf8")));
  return mails.map((mail) =>
    mail.replaceAll("=\r\n", "").replaceAll("\r\n ", " ").replaceAll("=3D", "="),
  );
}

async function mailsTo(address: string): Promise<string[]> {
  return (await readMails()).filter((mail) => mail.includes(`To: ${address}`));
}

function bodyOf(given: Partial<ReportBody> = {}): ReportBody {
  return reportBody.parse({
    kind: "workspace",
    subjectId: null,
    frequency: "daily",
    locale: "en",
    userIds: [ada.userId],
    emails: [],
    ...given,
  });
}

/** Creates a report whose next email is due. */
async function makeDue(given: Partial<ReportBody> = {}, periods = 1): Promise<string> {
  const { id } = await createReport(ada, bodyOf(given));
  await makeDueAgain(id, periods);
  return id;
}

async function makeDueAgain(id: string, periods = 1): Promise<void> {
  await query(sql`
    UPDATE report_subscription
    SET next_at = next_at - ${periods} * (
      CASE frequency WHEN 'daily' THEN interval '1 day' WHEN 'weekly' THEN interval '1 week'
      ELSE interval '1 month' END)
    WHERE id = ${id}`);
}

async function statesOf(): Promise<string[]> {
  const rows = await listReportDeliveries(ada);
  return rows.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`)).sort();
}

async function recipientId(email: string): Promise<string> {
  const row = await query.one<{ id: string }>(sql`
    SELECT id FROM report_recipient WHERE email = ${email}`);
  return row?.id ?? "";
}

function tokenIn(url: string): string {
  return new URL(url).searchParams.get("t") ?? "";
}

async function addOutside(email: string, given: Partial<ReportBody> = {}): Promise<string> {
  const id = await makeDue({ emails: [email], ...given });
  await confirmReportAddress(tokenIn(confirmUrl(await recipientId(email))));
  return id;
}

test.each([
  ["daily", "2026-11-03T06:59:59Z", "2026-11-01", "2026-11-01", "2026-11-03T07:00:00Z", "UTC"],
  ["daily", "2026-11-03T07:00:00Z", "2026-11-02", "2026-11-02", "2026-11-04T07:00:00Z", "UTC"],
  ["weekly", "2026-11-03T12:00:00Z", "2026-10-26", "2026-11-01", "2026-11-09T07:00:00Z", "UTC"],
  ["monthly", "2026-11-01T07:00:00Z", "2026-10-01", "2026-10-31", "2026-12-01T07:00:00Z", "UTC"],
  [
    "daily",
    "2026-11-02T23:00:00Z",
    "2026-11-02",
    "2026-11-02",
    "2026-11-03T23:00:00Z",
    "Asia/Shanghai",
  ],
  // The clocks change on March 29: seven o’clock stays seven o’clock.
  [
    "daily",
    "2026-03-28T06:00:00Z",
    "2026-03-27",
    "2026-03-27",
    "2026-03-29T05:00:00Z",
    "Europe/Berlin",
  ],
] as const)("a %s report at %s is about %s to %s", async (...given) => {
  const [frequency, at, startsOn, endsOn, next, zone] = given;
  const period = await periodAt(new Date(at), zone, frequency);
  expect(period).toEqual({ startsOn, endsOn, nextAt: new Date(next) });
});

test("an email has the stats, both images, and one-click unsubscription, once", async () => {
  await makeDue();
  expect([await sendReports(), await statesOf()]).toEqual([1, ["sent"]]);
  expect(await sendReports()).toBe(0);
  const [mail = "", another] = await mailsTo("ada@example.com");
  expect(another).toBeUndefined();
  expect(mail).toMatch(/Subject: Daily report for ada: \d+ clicks/);
  expect(mail).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(mail).toMatch(/List-Unsubscribe: <http:\/\/localhost:3000\/optout\/report\?t=[\w-]{22}>/);
  expect(mail).toMatch(/Top links/);
  expect(mail).toContain("localhost/autumn");
  expect(mail.match(/Content-Id: <(light|dark)>/gi)).toHaveLength(2);
});

test("workers that send at the same time send each email once", async () => {
  await makeDue({ userIds: [ada.userId ?? "", bob.userId ?? ""] });
  const sent = await Promise.all([sendReports(), sendReports(), sendReports()]);
  expect(sent.reduce((sum, one) => sum + one, 0)).toBe(2);
  expect(await readMails()).toHaveLength(2);
});

test("nobody gets a period twice who was removed and added again", async () => {
  const id = await makeDue({ userIds: [ada.userId ?? "", bob.userId ?? ""] });
  await sendReports();
  await editReport(ada, id, bodyOf());
  await editReport(ada, id, bodyOf({ userIds: [ada.userId ?? "", bob.userId ?? ""] }));
  await makeDueAgain(id);
  expect(await sendReports()).toBe(0);
  expect(await mailsTo("bob@example.com")).toHaveLength(1);
});

async function withServer(url: string, run: () => Promise<void>): Promise<void> {
  const before = config().FUXI_SMTP_URL;
  Object.assign(config(), { FUXI_SMTP_URL: url });
  await run();
  Object.assign(config(), { FUXI_SMTP_URL: before });
}

test("an email whose answer is missing is never sent again, and is shown as possibly sent", async () => {
  await makeDue();
  const server = await startMailServer();
  server.decide = () => "silent";
  await withServer(server.url, async () => {
    await sendReports();
    expect(server.messages).toHaveLength(1);
    expect(await statesOf()).toEqual(["unknown"]);
    expect(await sendReports()).toBe(0);
    expect(server.messages).toHaveLength(1);
  });
  await server.close();
});

test("an email that a killed worker was sending is never sent again", async () => {
  await makeDue();
  await withServer("smtp://127.0.0.1:1", async () => void (await sendReports()));
  const row = await query.one<{ pk: number }>(sql`SELECT pk FROM report_delivery`);
  expect(await claim(row?.pk ?? 0)).toBe(true);
  expect(await claim(row?.pk ?? 0)).toBe(false);
  expect(await sendReports()).toBe(0);
  expect(await statesOf()).toEqual(["sending"]);
  await giveUpSilent(new Date(Date.now() + 11 * 60_000));
  expect(await statesOf()).toEqual(["unknown"]);
  expect(await sendReports()).toBe(0);
  expect(await readMails()).toEqual([]);
});

test("an email that the server refuses for now is sent later, and one that it refuses is shown", async () => {
  await makeDue();
  const server = await startMailServer();
  server.decide = () => "later";
  await withServer(server.url, async () => {
    expect(await sendReports()).toBe(0);
    expect(await statesOf()).toEqual(["due"]);
    expect(await sendReports()).toBe(0);
    expect(server.messages).toHaveLength(1);
    server.decide = () => "refused";
    expect(await sendReports(new Date(Date.now() + 6 * 60_000))).toBe(0);
    expect(await statesOf()).toEqual(["refused"]);
  });
  await server.close();
});

test("without its mail server, an email waits", async () => {
  await makeDue();
  await withServer("smtp://127.0.0.1:1", async () => {
    expect(await sendReports()).toBe(0);
    expect(await statesOf()).toEqual(["due"]);
  });
  expect(await sendReports()).toBe(1);
});

test("after days without a worker only the latest period is sent, and the others are shown", async () => {
  await makeDue({}, 5);
  expect(await sendReports()).toBe(1);
  const [latest, missed] = (await listReportDeliveries(ada)).toSorted((a, b) =>
    b.endsOn.localeCompare(a.endsOn),
  );
  expect([latest?.state, missed?.state, missed?.reason]).toEqual(["sent", "skipped", "late"]);
  const days = (Date.parse(missed?.endsOn ?? "") - Date.parse(missed?.startsOn ?? "")) / dayMs + 1;
  expect(days).toBe(4);
});

test("a day without clicks is skipped, and a week without clicks is sent", async () => {
  const folder = await createFolder(ada, createFolderBody.parse({ name: "Quiet" }));
  const about = { kind: "folder", subjectId: folder.id } as const;
  await makeDue({ ...about, frequency: "daily" });
  await makeDue({ ...about, frequency: "weekly" });
  await sendReports();
  expect(await statesOf()).toEqual(["sent", "skipped noClicks"]);
  const [mail = ""] = await mailsTo("ada@example.com");
  expect(mail).toContain("Nobody clicked a link this week.");
  expect(mail).not.toContain("Content-Id: <light>");
});

test("members who left get no report, and nor do those who may not see the folder", async () => {
  const carl = await joinTestScope(ada, "carl", "member");
  await query(sql`UPDATE app_user SET email_proven_at = now()`);
  const hidden = await createFolder(
    ada,
    createFolderBody.parse({ name: "Secret", accessLevel: null }),
  );
  await makeDue({
    kind: "folder",
    subjectId: hidden.id,
    frequency: "weekly",
    userIds: [bob.userId ?? "", carl.userId ?? ""],
  });
  await removeMember(ada, carl.userId ?? "");
  await sendReports();
  expect(await readMails()).toEqual([]);
  expect(await statesOf()).toEqual(["skipped hidden", "skipped left"]);
});

test("an address outside gets nothing before it is confirmed, and nothing after it unsubscribed", async () => {
  const email = "eve@elsewhere.example";
  const id = await makeDue({ userIds: [], emails: [email] });
  expect(await sendReports()).toBe(0);
  const token = tokenIn(confirmUrl(await recipientId(email)));
  expect(await findReportRecipient(token)).toEqual({ workspace: "ada", state: "unconfirmed" });
  expect(await confirmReportAddress(token)).toBe(true);
  expect(await confirmReportAddress(token)).toBe(false);
  await makeDueAgain(id);
  expect(await sendReports()).toBe(1);
  const [mail = ""] = await mailsTo(email);
  expect(mail).not.toContain("/app/ada-space/analytics");
  const stop = tokenIn(/List-Unsubscribe: <(\S+)>/.exec(mail)?.[1] ?? "http://x");
  expect([await stopReports(stop), await stopReports(stop)]).toEqual([true, true]);
  await query(sql`DELETE FROM report_delivery`);
  await makeDueAgain(id);
  expect(await sendReports()).toBe(0);
  expect(await stopReports("x".repeat(22))).toBe(false);
});

test("a confirmation link ends after some days", async () => {
  const email = "late@elsewhere.example";
  await makeDue({ emails: [email] });
  await query(sql`
    UPDATE report_recipient SET asked_at = now() - ${confirmDays} * interval '1 day'`);
  expect(await confirmReportAddress(tokenIn(confirmUrl(await recipientId(email))))).toBe(false);
});

test("nobody subscribes people again who unsubscribed, except themselves", async () => {
  const id = await makeDue({ userIds: [ada.userId ?? "", bob.userId ?? ""] });
  const rows = await query<{ id: string }>(sql`SELECT id FROM report_recipient`);
  for (const row of rows) await stopReports(tokenIn(stopUrl(row.id)));
  await editReport(ada, id, bodyOf());
  await editReport(ada, id, bodyOf({ userIds: [ada.userId ?? "", bob.userId ?? ""] }));
  const [report] = await listReports(ada);
  expect(report?.recipients.map(({ name, state }) => [name, state])).toEqual([
    ["ada", "active"],
    ["bob", "stopped"],
  ]);
});

test("an address outside gets nothing once the member who added it may not share any more", async () => {
  await addOutside("fay@elsewhere.example", { userIds: [] });
  await query(sql`
    UPDATE membership SET role = 'viewer' WHERE user_pk = ${ada.userPk}`);
  await sendReports();
  await query(sql`UPDATE membership SET role = 'owner' WHERE user_pk = ${ada.userPk}`);
  expect(await readMails()).toEqual([]);
  expect(await statesOf()).toEqual(["skipped adder"]);
});

test("members send no report on the whole workspace to people outside", async () => {
  const body = bodyOf({ emails: ["eve@elsewhere.example"] });
  await expect(createReport(bob, body)).rejects.toMatchObject({ code: "forbidden" });
});

test("members see and delete only their own reports", async () => {
  const id = await makeDue();
  expect(await listReports(bob)).toEqual([]);
  await expect(deleteReport(bob, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(editReport(bob, id, bodyOf())).rejects.toMatchObject({ code: "not_found" });
  await deleteReport(ada, id);
  expect(await listReports(ada)).toEqual([]);
});

test("a workspace sends a limited number of emails a day, and shows the others", async () => {
  await makeDue({ userIds: [ada.userId ?? "", bob.userId ?? ""] });
  await query(sql`
    INSERT INTO report_delivery
      (subscription_pk, address_hash, starts_on, ends_on, state, attempted_at)
    SELECT pk, n::text::bytea, '2026-01-01', '2026-01-01', 'sent', now()
    FROM report_subscription
    CROSS JOIN generate_series(1, ${mailsPerDayMax - 1}) AS n`);
  expect(await sendReports()).toBe(1);
  expect((await statesOf()).filter((state) => state !== "sent")).toEqual(["skipped limit"]);
});

test(`a workspace has up to ${reportsMax} reports, with up to ${recipientsMax} recipients`, async () => {
  for (let at = 0; at < reportsMax; at++) await createReport(ada, bodyOf());
  await expect(createReport(ada, bodyOf())).rejects.toMatchObject({ code: "forbidden" });
  const emails = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@x.example`);
  const parse = (count: number) =>
    reportBody.safeParse({ ...bodyOf(), userIds: [], emails: emails(count) }).success;
  expect([parse(recipientsMax), parse(recipientsMax + 1), parse(0)]).toEqual([true, false, false]);
});

test("a report on a campaign counts the clicks of its links, for those who may see it", async () => {
  const { id } = await createCampaign(ada, campaignBody());
  await addRecipients(ada, id, recipientRows(1));
  const link = await query.one<{ pk: number }>(sql`SELECT link_pk AS pk FROM campaign_recipient`);
  await putClicks({
    workspacePk: ada.workspacePk,
    count: 30,
    from: new Date(now.getTime() - 3_600_000),
    until: now,
    links: { first: link?.pk ?? 0, count: 1 },
  });
  const asked = analyticsQuery.parse({ campaignId: id });
  const { answer } = await askAnalytics(ada, asked);
  // Every eleventh is a bot.
  expect(answer).toMatchObject({ clicks: 27 });
  await expect(askAnalytics(bob, asked)).rejects.toMatchObject({ code: "not_found" });
  const { key } = await createApiKey(ada, { name: "Stats", scopes: ["analytics.read"] });
  const admission = await admitApiKey(key, "203.0.113.7");
  if (!admission.ok) throw new Error("The key is not admitted");
  await expect(askAnalytics(admission.scope, asked)).rejects.toMatchObject({ code: "forbidden" });
});

test("the preview is the email in the chosen language", async () => {
  const options = { kind: "workspace", subjectId: null, frequency: "weekly" } as const;
  expect(await previewReport(ada, { ...options, locale: "en" })).toContain("Weekly report");
  expect(await previewReport(ada, { ...options, locale: "zh" })).toContain("每周报告");
});
