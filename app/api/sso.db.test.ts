/** The back-channel logout over HTTP, and everything that a person uses when their access ends. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ssoJobs } from "#lib/identity/single-sign-on";
import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { TestOpenId } from "../../test/openid.ts";
import { OpenIdBrowser } from "../../test/openid-browser.ts";
import { newPerson } from "../../test/people.ts";
import { ssoWorkspace } from "../../test/single-sign-on.ts";
import { openTestStores } from "../../test/stores.ts";
import { requireScope } from "../app/access.ts";
import { fetchApi } from "./index.ts";

const page = vi.hoisted(() => ({ cookie: "" }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers({ cookie: page.cookie })),
}));
vi.mock("next/navigation", () => ({
  notFound: () => {
    throw new Error("not found");
  },
  redirect: (to: string) => {
    throw new Error(to);
  },
}));

openTestStores({ FUXI_FETCH: "loopback" });
const formType = "application/x-www-form-urlencoded";
let openId: TestOpenId;
let acme: Awaited<ReturnType<typeof ssoWorkspace>>;
let people = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  openId = await TestOpenId.open();
  openId.refreshes = true;
  await newPerson();
  acme = await ssoWorkspace(openId, "acme", "acme.example");
});
afterAll(() => openId.stop());
beforeEach(() => {
  openId.revoked = false;
});

async function enter() {
  people += 1;
  const email = `e${people}@acme.example`;
  openId.person = { subject: `s${people}`, email, verified: true, groups: undefined };
  const browser = new OpenIdBrowser();
  await browser.signIn(acme.provider, openId);
  const user = await browser.user();
  if (!user) throw new Error("Nobody signed in");
  return { browser, user };
}

const isOpen = async (browser: OpenIdBrowser) => (await browser.user()) !== undefined;

async function logOut(body: string, { provider = acme.provider, type = formType } = {}) {
  const request = new Request(`http://localhost:3000/api/sso/logout/${provider}`, {
    method: "POST",
    headers: { "Content-Type": type },
    body,
  });
  const answer = await fetchApi(request, "203.0.113.7");
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const formWith = (token: string) => new URLSearchParams({ logout_token: token }).toString();

test("a logout token in a form ends the sessions of the person, and its answer is kept nowhere", async () => {
  const { browser } = await enter();
  const token = await openId.logoutToken({ sub: openId.person.subject });
  const answer = await logOut(formWith(token), { type: `${formType}; charset=UTF-8` });
  expect([answer.status, answer.text]).toEqual([200, ""]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await isOpen(browser)).toBe(false);
});

test("anything else is refused as the specification says, and ends nothing", async () => {
  const { browser } = await enter();
  const token = await openId.logoutToken({ sub: openId.person.subject });
  const right = formWith(token);
  const padding = (bytes: number) => `${right}&x=${"x".repeat(bytes - right.length - 3)}`;
  const refusals: [string, Parameters<typeof logOut>][] = [
    ["not a valid logout token", [formWith(`${token.slice(0, -4)}AAAA`)]],
    ["not a valid logout token", [""]],
    ["not a valid logout token", [right, { provider: "oidc-sso_nobody" }]],
    ["not a valid logout token", [right, { provider: "oidc" }]],
    ["Send the logout token as", [right, { type: "text/plain" }]],
    [
      "Send the logout token as",
      [JSON.stringify({ logout_token: token }), { type: "application/json" }],
    ],
    ["limit is 32 KB", [padding(32 * 1_024 + 1)]],
  ];
  for (const [reason, given] of refusals) {
    const { status, headers, text } = await logOut(...given);
    expect([status, headers.get("cache-control")]).toEqual([400, "no-store"]);
    expect(JSON.parse(text)).toEqual({
      error: "invalid_request",
      error_description: expect.stringContaining(reason),
    });
  }
  expect(await isOpen(browser)).toBe(true);
  expect((await logOut(padding(32 * 1_024))).status).toBe(200);
});

/** Reads a stream until it ends. */
async function readAll(response: Response): Promise<string> {
  return await response.text();
}

test("a person who was removed at the provider loses pages, API and live stream together, within 15 minutes", async () => {
  const { browser, user } = await enter();
  const headers = {
    Cookie: browser.cookies,
    Origin: "http://localhost:3000",
    "X-Fuxi-Workspace": "acme",
  };
  const ask = (path: string) =>
    fetchApi(new Request(`http://localhost:3000/api${path}`, { headers }), "203.0.113.7");
  page.cookie = browser.cookies;
  expect(await requireScope("acme")).toMatchObject({ userPk: user.pk });
  expect((await ask("/links")).status).toBe(200);
  const live = await ask("/events/live");
  expect(live.status).toBe(200);
  const ended = readAll(live);

  openId.revoked = true;
  const due = sql`
    SELECT oidc_check_at <= now() + interval '15 minutes' AS soon
    FROM session WHERE id = ${user.sessionId}`;
  expect(await query(due)).toEqual([{ soon: true }]);
  await query(sql`UPDATE session SET oidc_check_at = now() WHERE id = ${user.sessionId}`);
  for (const { handle } of ssoJobs) await handle({});

  await expect(requireScope("acme")).rejects.toThrow("/signin");
  expect((await ask("/links")).status).toBe(401);
  expect(await ended).toContain("event: ready");
  expect((await ask("/events/live")).status).toBe(401);
});
