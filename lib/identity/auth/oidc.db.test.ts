import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { connectAccount, openConnection, sealConnection } from "#lib/identity/single-sign-on";
import { saveAccess } from "#lib/identity/sso-providers";
import { accessBody } from "#lib/identity/sso-providers/schema";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { openOperator } from "#lib/tenancy/operators";
import { createWorkspace, listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import { TestOpenId, testClient } from "../../../test/openid.ts";
import { OpenIdBrowser } from "../../../test/openid-browser.ts";
import { testOrigin } from "../../../test/operators.ts";
import { newPerson, signedIn } from "../../../test/people.ts";
import { plainAccess, proveDomain, scopeIn, ssoWorkspace } from "../../../test/single-sign-on.ts";
import { openTestStores } from "../../../test/stores.ts";

vi.mock("#lib/platform/config", { spy: true });
const dataDir = join(tmpdir(), `fuxi-oidc-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir, FUXI_FETCH: "loopback" });
let openId: TestOpenId;
let other: TestOpenId;
let acme: Awaited<ReturnType<typeof ssoWorkspace>>;
let globex: Awaited<ReturnType<typeof ssoWorkspace>>;
let people = 0;

beforeAll(async () => {
  openId = await TestOpenId.open();
  other = await TestOpenId.open();
  // The first account of an instance is its operator.
  await newPerson();
  acme = await ssoWorkspace(openId, "acme", "acme.example");
  globex = await ssoWorkspace(other, "globex", "globex.example");
});
afterAll(async () => {
  await Promise.all([openId.stop(), other.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await redis().flushdb();
  newEmployee();
});
afterEach(() => {
  openId.tamper = undefined;
  vi.useRealTimers();
});

function newEmployee(more: Partial<TestOpenId["person"]> = {}): void {
  people += 1;
  const plain = { verified: true, groups: undefined };
  openId.person = { subject: `s${people}`, email: `e${people}@acme.example`, ...plain, ...more };
}

async function enter() {
  const browser = new OpenIdBrowser();
  const page = await browser.signIn(acme.provider, openId);
  return { browser, page, user: await browser.user() };
}

async function roleOf(userId: string): Promise<string | undefined> {
  const all = await listWorkspaces(userId);
  return all.find(({ slug }) => slug === "acme")?.role;
}

test("an employee joins with the default role, in a session that opens this workspace only", async () => {
  const { page, user } = await enter();
  expect(page).toBe("/app");
  expect(user).toMatchObject({
    email: openId.person.email,
    ssoWorkspacePk: acme.scope.workspacePk,
  });
  if (!user) throw new Error("Nobody");
  const { id, sessionId } = user;
  expect(await openWorkspace(id, "acme", sessionId)).toMatchObject({ role: "viewer" });
  await createWorkspace(id, { name: "Own", slug: "own-of-employee" });
  expect(await openWorkspace(id, "own-of-employee", sessionId)).toBeUndefined();
  const own = await signedIn(id, ["email"]);
  expect(await openWorkspace(id, "own-of-employee", own.sessionId)).toBeDefined();
  expect(await listWorkspaces(id, user.ssoWorkspacePk)).toMatchObject([{ slug: "acme" }]);
});

test("a session of a workspace’s provider opens nothing once its row is gone", async () => {
  const { user } = await enter();
  if (!user) throw new Error("Nobody");
  await query(sql`DELETE FROM session WHERE id = ${user.sessionId}`);
  expect(await openWorkspace(user.id, "acme", user.sessionId)).toBeUndefined();
});

test("a session of a workspace’s provider never opens the back office", async () => {
  const { user } = await enter();
  if (!user) throw new Error("Nobody");
  await query(sql`UPDATE app_user SET operator = true, factor_since = now() WHERE pk = ${user.pk}`);
  await query(sql`UPDATE session SET factor_at = now() WHERE id = ${user.sessionId}`);
  expect(await openOperator(user, testOrigin)).toEqual({ ok: false, code: "hidden" });
  const own = await signedIn(user.id, ["email", "factor"]);
  expect(await openOperator(own, testOrigin)).toMatchObject({ ok: true });
});

test("somebody outside the proven domains does not come in, nor with an unverified address", async () => {
  newEmployee({ email: "ceo@globex.example" });
  expect((await enter()).page).toBe("/signin?error=sso_email_domain");
  newEmployee({ email: "e@sub.acme.example" });
  expect((await enter()).page).toBe("/signin?error=sso_email_domain");
  newEmployee({ verified: false });
  expect((await enter()).page).toBe("/signin?error=sso_email_unverified");
  // Entra ID does not say whether it verified an address.
  newEmployee({ verified: undefined });
  expect((await enter()).page).toBe("/app");
});

test("a domain that was removed signs nobody in any more", async () => {
  await proveDomain(acme.pk, "lost.example");
  newEmployee({ email: "e@lost.example" });
  expect((await enter()).page).toBe("/app");
  await query(sql`DELETE FROM sso_domain WHERE host = 'lost.example'`);
  expect((await enter()).page).toBe("/signin?error=sso_email_domain");
});

test("an existing account is connected only by its owner, in a session of the account", async () => {
  const ada = await newPerson();
  await query(sql`UPDATE app_user SET email = 'ada@acme.example' WHERE pk = ${ada.pk}`);
  newEmployee({ email: "Ada@acme.example" });
  const { browser, page, user } = await enter();
  expect({ page, user }).toEqual({ page: "/signin/connect", user: undefined });
  const pending = browser.pending();
  if (!pending) throw new Error("Nothing to connect");
  const eve = await newPerson();
  await expect(connectAccount(eve, pending, "en")).rejects.toThrow("no longer possible");
  const stale = await signedIn(ada.id, []);
  await expect(connectAccount(stale, pending, "en")).rejects.toThrow("Confirm that it’s you");
  await connectAccount(await signedIn(ada.id), pending, "en");
  const again = await enter();
  // Not a member, and now known.
  expect(again.user).toMatchObject({ id: ada.id, ssoWorkspacePk: acme.scope.workspacePk });
  await expect(connectAccount(again.user ?? ada, pending, "en")).rejects.toThrow("no longer");
  const [entry] = await query<{ details: unknown }>(sql`
    SELECT details FROM audit WHERE action = 'user.connect' AND actor = ${ada.id}`);
  expect(entry?.details).toEqual({ provider: acme.provider });
});

test("people who may not join stay outside, and leave no account", async () => {
  await saveAccess(
    await scopeIn(acme.owner.id, "acme"),
    accessBody.parse({ ...plainAccess, joins: false }),
  );
  const { page } = await enter();
  await saveAccess(await scopeIn(acme.owner.id, "acme"), accessBody.parse(plainAccess));
  expect(page).toBe("/signin?error=sso_no_member");
  const found = await query(sql`SELECT FROM app_user WHERE email = ${openId.person.email}`);
  expect(found).toHaveLength(0);
});

test("groups change the role at each sign-in, and never that of an owner", async () => {
  const groupRoles = [
    { group: "staff", role: "member" },
    { group: "leads", role: "admin" },
  ];
  const scope = await scopeIn(acme.owner.id, "acme");
  await saveAccess(scope, accessBody.parse({ ...plainAccess, groupRoles }));
  newEmployee({ groups: ["staff", "leads"] });
  const { user } = await enter();
  const id = String(user?.id);
  expect(await roleOf(id)).toBe("admin");
  openId.person.groups = ["staff"];
  await enter();
  expect(await roleOf(id)).toBe("member");
  // Nothing is known about the groups.
  openId.person.groups = undefined;
  await enter();
  expect(await roleOf(id)).toBe("member");
  openId.person.groups = [];
  await enter();
  expect(await roleOf(id)).toBe("viewer");
  await query(sql`UPDATE membership SET role = 'owner' WHERE user_pk = ${user?.pk ?? 0}`);
  await enter();
  expect(await roleOf(id)).toBe("owner");
});

test("a sign-in that one provider began is not finished by another", async () => {
  const browser = new OpenIdBrowser();
  const callback = await openId.authorize(await browser.begin(acme.provider));
  expect(await browser.finish(globex.provider, callback)).toContain("error=OAuthCallback");
  expect(await browser.user()).toBeUndefined();
});

test("an answer of another issuer is refused, and one without an issuer", async () => {
  for (const issuer of [other.issuer, undefined]) {
    const browser = new OpenIdBrowser();
    const callback = await openId.authorize(await browser.begin(acme.provider));
    callback.searchParams.delete("iss");
    if (issuer) callback.searchParams.set("iss", issuer);
    const before = openId.exchanges;
    expect(await browser.finish(acme.provider, callback)).toContain("error=OAuthCallback");
    expect(openId.exchanges).toBe(before);
  }
});

test("an answer with another state, or in another browser, is refused", async () => {
  const browser = new OpenIdBrowser();
  const callback = await openId.authorize(await browser.begin(acme.provider));
  expect(await new OpenIdBrowser().finish(acme.provider, callback)).toContain("OAuthCallback");
  callback.searchParams.set("state", "forged");
  expect(await browser.finish(acme.provider, callback)).toContain("OAuthCallback");
});

test("a code works once", async () => {
  const browser = new OpenIdBrowser();
  const callback = await openId.authorize(await browser.begin(acme.provider));
  const before = new Map(browser.jar);
  expect(await browser.finish(acme.provider, callback)).toBe("/app");
  const thief = new OpenIdBrowser();
  for (const [name, value] of before) thief.jar.set(name, value);
  expect(await thief.finish(acme.provider, callback)).toContain("OAuthCallback");
});

test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
  ["another issuer", (claims) => ({ ...claims, iss: "https://evil.example" })],
  ["another audience", (claims) => ({ ...claims, aud: "other-client" })],
  ["another nonce", (claims) => ({ ...claims, nonce: "replayed" })],
  ["an end in the past", (claims) => ({ ...claims, exp: 1_000 })],
])("an ID token with %s is refused", async (_name, tamper) => {
  openId.tamper = tamper;
  const { page, user } = await enter();
  expect(page).toContain("error=OAuthCallback");
  expect(user).toBeUndefined();
});

test("an ID token that the provider did not sign is refused", async () => {
  // The keys are loaded again when they are five minutes old.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400_000 });
  await enter();
  // Another key with the same endpoints: the known keys do not fit, and are too young to load again.
  await openId.rotateKeys();
  newEmployee();
  expect((await enter()).page).toContain("error=OAuthCallback");
  // After a minute, an unknown key loads the keys again.
  vi.setSystemTime(Date.now() + 61_000);
  expect((await enter()).page).toBe("/app");
});

test("the provider of the instance signs in like Google: with a verified address, and without limits", async () => {
  const settings = { FUXI_OIDC_ISSUER: openId.issuer, FUXI_OIDC_CLIENT_ID: testClient.clientId };
  const real = config();
  vi.mocked(config).mockReturnValue({
    ...{ ...real, ...settings },
    FUXI_OIDC_CLIENT_SECRET: testClient.secret,
  });
  openId.allow("http://localhost:3000/api/auth/callback/oidc");
  newEmployee({ verified: undefined });
  const refused = await new OpenIdBrowser().signIn("oidc", openId);
  newEmployee();
  const browser = new OpenIdBrowser();
  const page = await browser.signIn("oidc", openId);
  const user = await browser.user();
  vi.mocked(config).mockReset();
  expect(refused).toBe("/signin?error=email_unproven");
  expect(page).toBe("/app");
  expect(user).toMatchObject({ email: openId.person.email, ssoWorkspacePk: null });
});

test("a pending connection ends after half an hour, and only the instance can seal one", () => {
  const pending = { provider: acme.provider, subject: "s", email: "e@acme.example", userPk: 1 };
  const cookie = sealConnection(pending).split(";")[0] ?? "";
  expect(openConnection(cookie)).toEqual(pending);
  expect(openConnection(cookie, Date.now() + 31 * 60_000)).toBeUndefined();
  expect(openConnection(`${cookie.slice(0, -4)}AAAA`)).toBeUndefined();
});
