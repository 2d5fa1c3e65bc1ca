import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hourMs } from "#lib/basics/time/schema";
import { findOidcSession } from "#lib/identity/oidc-sessions";
import { endSession } from "#lib/identity/sessions";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { TestOpenId } from "../../../test/openid.ts";
import { OpenIdBrowser } from "../../../test/openid-browser.ts";
import { newPerson } from "../../../test/people.ts";
import { ssoWorkspace } from "../../../test/single-sign-on.ts";
import { openTestStores } from "../../../test/stores.ts";
import { endByProvider, logoutUrlOfSession } from "./index.ts";
import { checkSessions } from "./leaving.ts";

openTestStores({ FUXI_FETCH: "loopback" });
let openId: TestOpenId;
let acme: Awaited<ReturnType<typeof ssoWorkspace>>;
let plain: Awaited<ReturnType<typeof ssoWorkspace>>;
let people = 0;

beforeAll(async () => {
  openId = await TestOpenId.open();
  await newPerson();
  acme = await ssoWorkspace(openId, "acme", "acme.example");
  plain = await ssoWorkspace(openId, "plain", "plain.example");
});
afterAll(() => openId.stop());
beforeEach(async () => {
  await redis().flushdb();
  openId.revoked = false;
  people += 1;
  const email = `e${people}@acme.example`;
  openId.person = { subject: `s${people}`, email, verified: true, groups: undefined };
});

async function enter(provider = acme.provider) {
  // As if the application of the other workspace had no permission for them.
  openId.refreshes = provider === acme.provider;
  if (provider === plain.provider) openId.person.email = `e${people}@plain.example`;
  const browser = new OpenIdBrowser();
  await browser.signIn(provider, openId);
  const user = await browser.user();
  if (!user) throw new Error("Nobody signed in");
  return { browser, user, subject: openId.person.subject };
}

/** As if the provider had last been asked this long ago. */
async function makeDue(sessionId: string, hours = 0): Promise<void> {
  await query(sql`
    UPDATE session
    SET oidc_check_at = now(), oidc_seen_at = now() - ${hours} * interval '1 hour'
    WHERE id = ${sessionId}`);
}

/** A check leaves out a session that is locked at that moment, as when its last use is written. */
async function expectNextCheckEnds(sessionId: string, hours = 0): Promise<void> {
  await vi.waitFor(
    async () => {
      await makeDue(sessionId, hours);
      expect(await checkSessions()).toBe(1);
    },
    { timeout: 20_000 },
  );
}

const isOpen = async (browser: OpenIdBrowser) => (await browser.user()) !== undefined;

test("a person who was removed at the provider is signed out at the next check", async () => {
  const { browser, user } = await enter();
  await makeDue(user.sessionId);
  expect(await checkSessions()).toBe(0);
  expect(await isOpen(browser)).toBe(true);
  openId.revoked = true;
  await expectNextCheckEnds(user.sessionId);
  expect(await checkSessions()).toBe(0);
  expect(await isOpen(browser)).toBe(false);
});

test("a provider that is away is tolerated for the grace period, then sessions end", async () => {
  const { browser, user } = await enter();
  await openId.stop();
  await makeDue(user.sessionId, 3);
  expect(await checkSessions()).toBe(0);
  expect(await isOpen(browser)).toBe(true);
  await expectNextCheckEnds(user.sessionId, 4);
  await openId.start();
  expect(await isOpen(browser)).toBe(false);
});

test("without a refresh token, a session ends after 8 hours", async () => {
  const { browser, user } = await enter(plain.provider);
  const [row] = await query<{ hours: number }>(sql`
    SELECT extract(epoch FROM oidc_check_at - created_at)::float8 / 3600 AS hours
    FROM session
    WHERE id = ${user.sessionId}`);
  expect(row?.hours).toBeCloseTo(8, 2);
  expect(await checkSessions(Date.now() + 24 * hourMs)).toBe(0);
  await expectNextCheckEnds(user.sessionId);
  expect(await isOpen(browser)).toBe(false);
});

test("a logout at the provider ends the sessions of the person here, at once and of this provider only", async () => {
  const [first, second] = [await enter(), await enter(plain.provider)];
  expect(first.subject).toBe(second.subject);
  expect(await endByProvider(acme.provider, await openId.logoutToken({ sub: first.subject }))).toBe(
    true,
  );
  expect(await isOpen(first.browser)).toBe(false);
  expect(await isOpen(second.browser)).toBe(true);
});

test("a logout of a session ends only that one", async () => {
  const [first, second] = [await enter(), await enter()];
  await query(sql`UPDATE session SET oidc_sid = 'one' WHERE id = ${first.user.sessionId}`);
  await query(sql`UPDATE session SET oidc_sid = 'two' WHERE id = ${second.user.sessionId}`);
  expect(await findOidcSession(first.user.sessionId)).toMatchObject({ sid: "one" });
  const claims = { sid: "one", sub: first.subject };
  expect(await endByProvider(acme.provider, await openId.logoutToken(claims))).toBe(true);
  expect(await isOpen(first.browser)).toBe(false);
  expect(await isOpen(second.browser)).toBe(true);
});

test.each<[string, Record<string, unknown>]>([
  ["another issuer", { iss: "https://evil.example" }],
  ["another audience", { aud: "other" }],
  ["an age of five minutes", { iat: Math.floor(Date.now() / 1_000) - 300 }],
  ["no event", { events: {} }],
  ["a nonce, as ID tokens have one", { nonce: "n" }],
  ["neither person nor session", { sub: undefined }],
  ["no id", { jti: undefined }],
])("a logout token with %s is refused", async (_name, more) => {
  const { browser, subject } = await enter();
  const token = await openId.logoutToken({ sub: subject }, more);
  expect(await endByProvider(acme.provider, token)).toBe(false);
  expect(await isOpen(browser)).toBe(true);
});

test("a logout token with another key, or one that was used, is refused", async () => {
  const { browser, subject } = await enter();
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const forged = await openId.logoutToken(
    { sub: subject },
    {},
    { ...(await exportJWK(privateKey)), kid: "x" },
  );
  expect(await endByProvider(acme.provider, forged)).toBe(false);
  const token = await openId.logoutToken({ sub: subject });
  expect(await endByProvider(acme.provider, `${token.slice(0, -4)}AAAA`)).toBe(false);
  expect(await endByProvider("oidc-nobody", token)).toBe(false);
  expect(await isOpen(browser)).toBe(true);
  expect(await endByProvider(acme.provider, token)).toBe(true);
  expect(await endByProvider(acme.provider, token)).toBe(false);
});

test("signing out leads to the logout page of the provider", async () => {
  const { user } = await enter();
  const url = new URL((await logoutUrlOfSession(user.sessionId)) ?? "");
  expect(url.origin).toBe(openId.issuer);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: "fuxi",
    id_token_hint: expect.stringMatching(/^ey/),
    post_logout_redirect_uri: "http://localhost:3000/signin",
  });
  await endSession(user.sessionId);
  expect(await logoutUrlOfSession(user.sessionId)).toBeUndefined();
});

test("a logout token with a new key loads the keys again, after a minute", async () => {
  const { browser, subject } = await enter();
  expect(await endByProvider(acme.provider, await openId.logoutToken({ sub: "nobody" }))).toBe(
    true,
  );
  await openId.rotateKeys();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  const token = await openId.logoutToken({ sub: subject });
  expect(await endByProvider(acme.provider, token)).toBe(true);
  vi.useRealTimers();
  expect(await isOpen(browser)).toBe(false);
});
