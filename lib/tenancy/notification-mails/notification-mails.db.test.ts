import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { config } from "#lib/platform/config";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { addNotification, type NewNotification } from "#lib/tenancy/notifications";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { sendMail, startDueMails } from "./index.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${ada.userPk}`);
});

const folder = () => join(config().FUXI_DATA_DIR, "outbox");
beforeEach(() => rm(folder(), { recursive: true, force: true }));

/** What is in the outbox: as mail programs read it. */
async function readMails(): Promise<string[]> {
  const files = await readdir(folder()).catch(() => []);
  const mails = await Promise.all(
    files.sort().map((file) => readFile(join(folder(), file), "utf8")),
  );
  return mails.map((mail) => mail.replaceAll("=\r\n", "").replaceAll("=3D", "="));
}

async function add(given: Partial<NewNotification>): Promise<number> {
  await transaction((tx) =>
    addNotification(tx, {
      workspacePk: ada.workspacePk,
      userPk: ada.userPk ?? 0,
      kind: "campaign.paused",
      subject: "camp_1",
      details: { name: "Autumn", reason: "401" },
      mail: true,
      ...given,
    }),
  );
  const [row] = await query<{ pk: number }>(sql`SELECT max(pk) AS pk FROM notice`);
  return row?.pk ?? 0;
}

test("each due email is started once, also by sweeps at the same time, and others are none", async () => {
  for (let count = 0; count < 20; count++) await add({});
  await add({ mail: false });
  const started = await Promise.all([startDueMails(), startDueMails(), startDueMails()]);
  expect(started.reduce((sum, one) => sum + one, 0)).toBe(20);
  expect(await startDueMails()).toBe(0);
});

test.each([
  ["campaign.paused", { name: "Autumn", reason: "401" }, "because the gateway responded 401."],
  ["campaign.paused", { name: "Autumn", reason: "gateway_deleted" }, "its gateway was deleted"],
  [
    "campaign.finished",
    { name: "Autumn", sent: 1_200, refused: 3, unknown: 0 },
    "Accepted by the gateway: 1,200",
  ],
  ["recipients.refused", { name: "people", refused: 12 }, "Refused rows: 12."],
  ["recipients.failed", { name: "people", refused: 0 }, "before all rows were processed"],
  [
    "destination.broken",
    { name: "Autumn", host: "shop.example" },
    "a page on shop.example, the destination of the campaign Autumn",
  ],
] as const)(
  "an email of %s says what happened, and leads to the campaign",
  async (kind, details, text) => {
    await sendMail(await add({ kind, details }));
    const [mail = ""] = await readMails();
    expect(mail).toContain(text);
    expect(mail).toContain(`To: ada@example.com`);
    expect(mail).toContain(`http://localhost:3000/app/${ada.slug}/campaigns/camp_1`);
    expect(mail).toContain(details.name);
  },
);

test("an email of domain.blocked has the evidence and where to appeal, and leads to the domain", async () => {
  const details = {
    slug: "go.acme.example",
    app: "wechat",
    source: "visits",
    since: "2026-11-20",
    days: 2,
    visits: 1_210,
    inApp: 3,
    share: 3 / 1_210,
    visitsBefore: 900,
    inAppBefore: 310.5,
    shareBefore: 0.345,
    oneIn: 1_000_000,
  };
  const pk = await add({ kind: "domain.blocked", subject: "go.acme.example", details });
  await sendMail(pk);
  const [mail = ""] = await readMails();
  for (const text of [
    "WeChat seems to block go.acme.example",
    "since 2026-11-20: 3 of 1,210 (0.2%)",
    "on a usual day: 311 of 900 (34.5%)",
    "less than 1 in 1,000,000",
    "Appeal: weixin110.qq.com",
    "never switches domains by itself",
    `http://localhost:3000/app/${ada.slug}/domains/go.acme.example`,
  ]) {
    expect(mail).toContain(text);
  }
});

test("an email of form.failing says why visitors get no code, and leads to the forms", async () => {
  const details = { name: "Offer", reason: "401" };
  await sendMail(await add({ kind: "form.failing", subject: "form_1", details }));
  const [mail = ""] = await readMails();
  expect(mail).toContain("Visitors of the form Offer");
  expect(mail).toContain("because the gateway responded 401.");
  expect(mail).toContain(`http://localhost:3000/app/${ada.slug}/forms\n`);
});

test("it is in the language of the person", async () => {
  const pk = await add({ kind: "campaign.finished", details: { name: "Autumn", sent: 1 } });
  await query(sql`UPDATE app_user SET locale = 'zh' WHERE pk = ${ada.userPk}`);
  await sendMail(pk);
  await query(sql`UPDATE app_user SET locale = NULL WHERE pk = ${ada.userPk}`);
  const [mail = ""] = await readMails();
  expect(mail).toMatch(/Content-Transfer-Encoding: (base64|quoted-printable)/);
  expect(Buffer.from(mail, "utf8").includes("finished")).toBe(false);
});

test("nobody gets one who left, was banned, has not confirmed the address, or whose notification is gone", async () => {
  const pk = await add({});
  const change = async (text: string, back: string) => {
    await query({ text, values: [ada.userPk] });
    await sendMail(pk);
    await query({ text: back, values: [ada.userPk] });
  };
  await change(
    "UPDATE app_user SET email_proven_at = NULL WHERE pk = $1",
    "UPDATE app_user SET email_proven_at = now() WHERE pk = $1",
  );
  await change(
    "UPDATE app_user SET banned_at = now() WHERE pk = $1",
    "UPDATE app_user SET banned_at = NULL WHERE pk = $1",
  );
  await sendMail(pk + 1_000);
  await query(sql`DELETE FROM membership WHERE user_pk = ${ada.userPk}`);
  await sendMail(pk);
  expect(await readMails()).toEqual([]);
});
