/** WeChat accounts of a workspace: who changes them, and where their secrets are. */
import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  checkWechatAccount,
  createWechatAccount,
  deleteWechatAccount,
  editWechatAccount,
  listWechatAccounts,
  openAccountOfApp,
  wechatAccountsMax,
} from "./index.ts";
import { createWechatAccountBody } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
let member: WorkspaceScope;
const secret = "0123456789abcdefABCDEF0123456789";
let count = 0;
function bodyOf(change: object = {}) {
  count += 1;
  const appId = `wx${String(count).padStart(16, "0")}`;
  return createWechatAccountBody.parse({
    kind: "miniProgram",
    name: "Shop",
    appId,
    secret,
    ...change,
  });
}

beforeAll(async () => {
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
  member = await joinTestScope(ada, "member", "member");
});

test("an AppSecret is sealed in its table, and in no response and no audit entry", async () => {
  const other = "f".repeat(32);
  const created = await createWechatAccount(ada, bodyOf());
  const edited = await editWechatAccount(ada, created.id, { secret: other, name: "Store" });
  const audit = await listAudit(ada, { pageSize: 100, subject: created.id });
  const rows = await query(sql`SELECT wechat_account::text AS row FROM wechat_account`);
  const shown = JSON.stringify([created, edited, await listWechatAccounts(ada), audit, rows]);
  for (const text of [secret, other]) {
    expect(shown).not.toContain(text);
    expect(shown).not.toContain(Buffer.from(text).toString("hex"));
  }
  expect(audit.map(({ action }) => action)).toEqual([
    "wechat-account.edit",
    "wechat-account.create",
  ]);
  expect(await openAccountOfApp(ada.workspacePk, created.appId)).toMatchObject({
    app: { appId: created.appId, secret: other },
  });
});

test("an AppSecret cannot be opened in the row of another account", async () => {
  const one = await createWechatAccount(ada, bodyOf());
  const two = await createWechatAccount(ada, bodyOf());
  await query(sql`
    UPDATE wechat_account
    SET sealed = (SELECT sealed FROM wechat_account WHERE id = ${one.id})
    WHERE id = ${two.id}`);
  await expect(openAccountOfApp(ada.workspacePk, two.appId)).rejects.toThrow();
  await query(sql`DELETE FROM wechat_account WHERE id = ${two.id}`);
});

test("members see accounts, and only owners and admins change them", async () => {
  const { id } = await createWechatAccount(ada, bodyOf());
  expect((await listWechatAccounts(member)).some((one) => one.id === id)).toBe(true);
  for (const refused of [
    createWechatAccount(member, bodyOf()),
    editWechatAccount(member, id, { name: "x" }),
    checkWechatAccount(member, id),
    deleteWechatAccount(member, id),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
  }
});

test("an account of another workspace answers exactly like a missing one", async () => {
  const { id, appId } = await createWechatAccount(ada, bodyOf());
  for (const other of [id, newId("wxa"), "wxa_1", "' OR 1"]) {
    const message = `WeChat account "${other}" not found in this workspace.`;
    await expect(editWechatAccount(bob, other, { name: "x" })).rejects.toThrow(message);
    await expect(checkWechatAccount(bob, other)).rejects.toThrow(message);
    await expect(deleteWechatAccount(bob, other)).rejects.toThrow(message);
  }
  expect(await listWechatAccounts(bob)).toEqual([]);
  expect(await openAccountOfApp(bob.workspacePk, appId)).toBeUndefined();
});

test("a workspace has each AppID once, and up to 20 accounts", async () => {
  const carl = await makeTestScope("carl");
  const body = bodyOf();
  await createWechatAccount(carl, body);
  await expect(createWechatAccount(carl, body)).rejects.toMatchObject({ code: "conflict" });
  for (let made = 1; made < wechatAccountsMax; made++) await createWechatAccount(carl, bodyOf());
  await expect(createWechatAccount(carl, bodyOf())).rejects.toMatchObject({ code: "forbidden" });
  expect(await listWechatAccounts(carl)).toHaveLength(wechatAccountsMax);
});

test.each([
  { appId: "wx0123456789abcde" },
  { appId: "wx0123456789abcdef0" },
  { appId: "wx0123456789ABCDEF" },
  { secret: secret.slice(1) },
  { secret: `${secret}0` },
  { name: "n".repeat(101) },
  { kind: "subscription" },
])("%j is refused", (change) => {
  const valid = {
    kind: "miniProgram",
    name: "n".repeat(100),
    appId: "wx0123456789abcdef",
    secret,
  };
  expect(createWechatAccountBody.safeParse(valid).success).toBe(true);
  expect(createWechatAccountBody.safeParse({ ...valid, ...change }).success).toBe(false);
});

test("what is wrong is shown after a check", async () => {
  const { id } = await createWechatAccount(ada, bodyOf());
  // This instance makes no external requests.
  const checked = await checkWechatAccount(ada, id);
  expect(checked.problem).toMatchObject({ code: "unreachable", errcode: null });
});
