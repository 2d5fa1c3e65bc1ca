import { expect, test } from "vitest";
import { apiUrl, origin } from "../../test/contract-server.ts";
import { type HttpAnswer, send } from "../../test/http-client.ts";

const email = process.env["TEST_OWNER_EMAIL"] ?? "";
const password = process.env["TEST_OWNER_PASSWORD"] ?? "";
const cookieName = "fuxi-session";

function cookiesOf({ headers }: HttpAnswer): Map<string, string> {
  const pairs = (headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "");
  return new Map(
    pairs.map((pair) => [pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
  );
}

function headerOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

function signIn(cookies: Map<string, string>, token: string): Promise<HttpAnswer> {
  return send(`${apiUrl}/auth/callback/password`, {
    method: "POST",
    headers: { Cookie: headerOf(cookies) },
    body: new URLSearchParams({ email, password, csrfToken: token, json: "true" }),
  });
}

async function csrf(): Promise<{ token: string; cookies: Map<string, string> }> {
  const answer = await send(`${apiUrl}/auth/csrf`);
  const { csrfToken }: { csrfToken: string } = JSON.parse(answer.text);
  return { token: csrfToken, cookies: cookiesOf(answer) };
}

test("every sign-in starts a new session, whatever session cookie the browser sent", async () => {
  const { token, cookies } = await csrf();
  const first = cookiesOf(await signIn(cookies, token)).get(cookieName);
  expect(first).toBeTruthy();
  const planted = new Map([...cookies, [cookieName, first ?? ""]]);
  const second = cookiesOf(await signIn(planted, token)).get(cookieName);
  expect(second).toBeTruthy();
  expect(second).not.toBe(first);
});

test("a sign-in makes the browser known, and a refused one does not", async () => {
  const { token, cookies } = await csrf();
  const known = cookiesOf(await signIn(cookies, token)).get("fuxi-device");
  expect(known).toMatch(/^\w+\.[\w-]{16}\.[\w-]{32}$/);
  const refused = await signIn(cookies, "0".repeat(64));
  expect(cookiesOf(refused).get("fuxi-device")).toBeUndefined();
});

test("a sign-in sent by another site is refused: it lacks the token that only pages of this host read", async () => {
  const { token, cookies } = await csrf();
  for (const [brought, sent] of [
    [new Map<string, string>(), token],
    [cookies, ""],
    [cookies, "0".repeat(64)],
  ] as const) {
    const answer = await signIn(new Map(brought), sent);
    expect(cookiesOf(answer).get(cookieName)).toBeUndefined();
  }
});

test("a page of this host is shown in no frame of another site", async () => {
  for (const path of ["/signin", "/reset", "/signin/letter"]) {
    const answer = await send(new URL(path, origin));
    expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  }
});
