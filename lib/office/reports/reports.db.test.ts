/** Reports of links: who may file them, the queue, its decisions, and the answers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { config } from "#lib/platform/config";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { listAudit } from "#lib/tenancy/audit";
import { auditQuery } from "#lib/tenancy/audit/schema";
import type { OperatorScope } from "#lib/tenancy/operators";
import { makeTestOperator } from "../../../test/operators.ts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { answerReport, answerReports, decideReports, fileReport, listReports } from "./index.ts";
import { decideReportsBody, reportForm, reportTextCharsMax } from "./schema.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("reported");

let operator: OperatorScope;
let made = 0;

beforeAll(async () => {
  ({ operator } = await makeTestOperator("root"));
});
beforeEach(() => {
  made += 1;
});

function file(link: string, fields: object = {}, address = `198.18.${made}.1`) {
  const form = reportForm.parse({ link, reason: "phishing", ...fields });
  return fileReport(form, address, "en");
}

function decide(linkId: string, body: object) {
  return decideReports(operator, linkId, decideReportsBody.parse({ note: "Checked", ...body }));
}

async function queued(linkId: string) {
  return (await listReports(operator)).find((one) => one.linkId === linkId);
}

test("reports are grouped by link, with destination, workspace, owners and count", async () => {
  const link = await make({ url: "https://shop.example/page" });
  await file(`http://localhost:3000/${link.key}`, { text: "It asks for my password" });
  await file(`localhost/${link.key}+`, { reason: "spam", email: "me@example.com" }, "198.18.200.2");
  expect(await queued(link.id)).toMatchObject({
    shortLink: `http://localhost:3000/${link.key}`,
    host: "shop.example",
    workspace: { slug: scope().slug },
    owners: [{ id: scope().actor }],
    reports: 2,
    banned: false,
    latest: [
      { reason: "spam", wantsAnswer: true },
      { reason: "phishing", text: "It asks for my password", wantsAnswer: false },
    ],
  });
});

test("an address has one open report of a link, in any race, and may report again after the decision", async () => {
  const link = await make({});
  await Promise.all(Array.from({ length: 5 }, () => file(`localhost/${link.key}`)));
  expect((await queued(link.id))?.reports).toBe(1);
  await decide(link.id, { action: "dismiss" });
  expect(await queued(link.id)).toBeUndefined();
  await file(`localhost/${link.key}`);
  expect((await queued(link.id))?.reports).toBe(1);
});

test("a missing link, a malformed one and an existing one get the same answer", async () => {
  const link = await make({});
  const texts = [
    `localhost/${link.key}`,
    "localhost/nobody",
    "%%%",
    "elsewhere.example/x",
    "\u{1f600}",
  ];
  for (const text of texts) expect(await file(text)).toEqual({ ok: true });
});

test("an address can file so many reports an hour, and no more", async () => {
  const { max } = limits.reportPerAddress;
  const outcomes = [];
  for (let at = 0; at <= max; at++) outcomes.push(await file(`localhost/none-${at}`));
  expect(outcomes.map(({ ok }) => ok)).toEqual([...Array(max).fill(true), false]);
});

test("a text has at most so many characters", () => {
  const parse = (chars: number) =>
    reportForm.safeParse({ link: "x", reason: "spam", text: "x".repeat(chars) }).success;
  expect([parse(reportTextCharsMax), parse(reportTextCharsMax + 1)]).toEqual([true, false]);
});

test("no network address is stored in clear", async () => {
  const link = await make({});
  await file(`localhost/${link.key}`, {}, "198.18.77.77");
  const rows = await query<{ row: string }>(
    sql`SELECT link_report::text || encode(address_hash, 'escape') AS row FROM link_report`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain("198.18.77");
});

test("a decision bans the link, its host or its workspace, and closes all reports of the link", async () => {
  const host = `decided-${made}.example`;
  for (const [action, status] of [
    ["ban_link", 451],
    ["ban_host", 451],
    ["dismiss", 302],
  ] as const) {
    const link = await make({ url: `https://${action.replace("_", "-")}.${host}/` });
    await file(`localhost/${link.key}`, {}, "198.18.3.1");
    await file(`localhost/${link.key}`, {}, "198.18.3.2");
    await decide(link.id, { action, reason: "malware" });
    const until = Date.now() + 5_000;
    while ((await ask(`/${link.key}`)).status !== status && Date.now() < until);
    expect((await ask(`/${link.key}`)).status).toBe(status);
    expect(await queued(link.id)).toBeUndefined();
  }
});

test("two administrators can’t decide the same reports, and a dismissal is in the audit log", async () => {
  const link = await make({});
  await file(`localhost/${link.key}`);
  const decisions = await Promise.allSettled([
    decide(link.id, { action: "dismiss" }),
    decide(link.id, { action: "dismiss" }),
  ]);
  expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const entries = await listAudit(scope(), auditQuery.parse({ subject: link.id }));
  expect(entries.filter(({ action }) => action === "operator.dismiss_reports")).toMatchObject([
    { actor: { id: operator.actor }, details: { reason: "Checked", reports: 1 } },
  ]);
});

function outbox(): string[] {
  const folder = join(config().FUXI_DATA_DIR, "outbox");
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
}

test("a reporter who left an address is answered once, however often the job runs, and the address is erased", async () => {
  const link = await make({});
  const email = `reporter-${made}@example.com`;
  await file(`localhost/${link.key}`, { email });
  const rows = await query<{ pk: number }>(sql`SELECT pk FROM link_report WHERE email = ${email}`);
  const pk = rows[0]?.pk ?? 0;
  await answerReport(pk);
  await decide(link.id, { action: "dismiss" });
  await answerReport(pk);
  await answerReport(pk);
  expect(outbox().filter((mail) => mail.includes(email))).toHaveLength(1);
  expect(await query(sql`SELECT pk FROM link_report WHERE email = ${email}`)).toEqual([]);
  expect(await answerReports()).toBe(0);
});
