/** Tickets of official accounts: kept by a job, and what is wrong with them is shown. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { digestOf, forgetShared, peekTicket } from "#lib/platform/wechat";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { type LocalWechat, startWechat } from "../../../test/wechat.ts";
import {
  checkWechatAccount,
  createWechatAccount,
  editWechatAccount,
  fetchTickets,
  listWechatAccounts,
  openAccountOfApp,
} from "./index.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });
afterAll(() => wechat.close());

const secret = "0123456789abcdefABCDEF0123456789";
let ada: WorkspaceScope;
let count = 0;
let appId = "";
beforeAll(async () => {
  ada = await makeTestScope("ada");
});
beforeEach(async () => {
  count += 1;
  appId = `wx${String(count).padStart(16, "0")}`;
  wechat.addApp(appId, secret);
  wechat.fault = undefined;
  wechat.calls = [];
  forgetShared();
  await query(sql`DELETE FROM wechat_account`);
});
const add = (kind: "miniProgram" | "officialAccount" = "officialAccount") =>
  createWechatAccount(ada, { kind, name: "Tea", appId, secret });
const dueNow = () =>
  query(
    sql`UPDATE wechat_account SET ticket_at = now() - interval '1 second',
      next_at = CASE WHEN next_at IS NOT NULL THEN now() - interval '1 second' END`,
  );
const ticketCalls = () => wechat.callsTo("/cgi-bin/ticket/getticket");

test("a job fetches the ticket of an official account, and none of a mini program", async () => {
  await add("miniProgram");
  expect(await fetchTickets()).toBe(0);
  expect(wechat.calls).toEqual([]);
  await query(sql`DELETE FROM wechat_account`);
  await add();
  expect(await fetchTickets()).toBe(1);
  expect(await fetchTickets()).toBe(0); // not due
  await dueNow();
  expect(await fetchTickets()).toBe(1);
  expect(ticketCalls()).toHaveLength(1);
  expect(await peekTicket(digestOf({ appId, secret }))).toBeDefined();
});

test("several workers at once fetch a ticket once", async () => {
  await add();
  const kept = await Promise.all([fetchTickets(), fetchTickets(), fetchTickets()]);
  expect(kept.toSorted()).toEqual([0, 0, 1]);
  expect(ticketCalls()).toHaveLength(1);
});

test.each([
  [40001, "secret", false],
  [40013, "appId", false],
  [40164, "address", true],
  [42001, "busy", true],
  [45009, "dailyLimit", true],
  [48001, "permission", false],
] as const)(
  "error %i is shown as %s, and tried again by itself: %s",
  async (errcode, code, retries) => {
    const { id } = await add();
    wechat.fault = () => errcode;
    expect(await fetchTickets()).toBe(0);
    const address = code === "address" ? "203.0.113.7" : null;
    const [shown] = await listWechatAccounts(ada);
    expect(shown?.problem).toMatchObject({ code, errcode, address });
    expect(shown?.problem?.nextAt === null).toBe(!retries);
    wechat.fault = undefined;
    wechat.calls = [];
    await query(sql`UPDATE wechat_account SET ticket_at = now() - interval '1 second'`);
    expect(await fetchTickets()).toBe(0); // not before its time
    expect(wechat.calls).toEqual([]);
    await dueNow();
    expect(await fetchTickets()).toBe(retries ? 1 : 0);
    expect(await checkWechatAccount(ada, id)).toMatchObject({ problem: null });
  },
);

test("a check asks for the ticket: an account without verification has no permission for it", async () => {
  const { id } = await add();
  wechat.fault = ({ path }) => (path === "/cgi-bin/ticket/getticket" ? 48001 : undefined);
  expect(await checkWechatAccount(ada, id)).toMatchObject({ problem: { code: "permission" } });
});

test("a new AppSecret gets a ticket of its own", async () => {
  const { id } = await add();
  await fetchTickets();
  const other = "f".repeat(32);
  wechat.addApp(appId, other);
  await editWechatAccount(ada, id, { secret: other });
  expect(await peekTicket(digestOf({ appId, secret: other }))).toBeUndefined();
  await dueNow();
  expect(await fetchTickets()).toBe(1);
  expect(await peekTicket(digestOf({ appId, secret: other }))).toBeDefined();
});

test("links open no mini program with the AppSecret of an official account", async () => {
  await add();
  expect(await openAccountOfApp(ada.workspacePk, appId)).toBeUndefined();
});
