import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { config } from "#lib/platform/config";
import { TestOpenId, testClient } from "../../../test/openid.ts";
import { openTestStores } from "../../../test/stores.ts";
import { exchangeCode, loadServer, refreshTokens } from "./index.ts";

vi.mock("#lib/platform/config", { spy: true });
openTestStores({ FUXI_FETCH: "loopback" });
/** The answer of a provider that says anything. */
let document: object;
let server: Server;
let issuer: string;
let openId: TestOpenId;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  openId = await TestOpenId.open();
});
afterAll(async () => {
  server.close();
  await openId.stop();
});

function clientAt(url: string, networks: [] | null = []) {
  const { clientId, secret } = testClient;
  const callbackUrl = "http://localhost:3000/api/auth/callback/oidc";
  const scope = "openid email offline_access";
  return { key: url, issuer: url, clientId, clientSecret: secret, callbackUrl, scope, networks };
}

const whole = () => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
});

test("a provider needs its three endpoints and PKCE, which may be unsaid", async () => {
  document = whole();
  expect(await loadServer(clientAt(issuer))).toMatchObject({ ok: true });
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
    document = { ...whole(), [name]: undefined };
    expect(await loadServer(clientAt(issuer))).toEqual({
      ok: false,
      code: "endpoints",
      reason: name,
    });
  }
  document = { ...whole(), code_challenge_methods_supported: ["plain"] };
  const refused = { ok: false, code: "pkce", reason: "plain" };
  expect(await loadServer(clientAt(issuer))).toEqual(refused);
});

test("browsers are never sent to a script or another scheme", async () => {
  for (const url of ["javascript:alert(1)", "data:text/html,x", "ftp://127.0.0.1/", "//x"]) {
    for (const name of ["authorization_endpoint", "end_session_endpoint"]) {
      document = { ...whole(), [name]: url };
      expect(await loadServer(clientAt(issuer))).toMatchObject({ ok: false, code: "endpoints" });
    }
  }
});

test("a workspace’s provider is asked through safe-fetch; that of the instance may be anywhere", async () => {
  document = whole();
  const real = config();
  vi.mocked(config).mockReturnValue({ ...real, FUXI_FETCH: "public" });
  const ofWorkspace = await loadServer(clientAt(issuer));
  const ofInstance = await loadServer(clientAt(issuer, null));
  vi.mocked(config).mockReset();
  expect(ofWorkspace).toMatchObject({ ok: false, code: "unreachable" });
  expect(ofInstance).toMatchObject({ ok: true });
});

test("a refresh for another person ends the access", async () => {
  const client = clientAt(openId.issuer);
  openId.allow(client.callbackUrl);
  openId.refreshes = true;
  openId.person = { subject: "ada", email: "ada@a.example", verified: true, groups: ["a"] };
  const loaded = await loadServer(client);
  if (!loaded.ok) throw new Error(loaded.reason);
  const verifier = "v".repeat(43);
  const challenge = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)),
  );
  const url = new URL(String(loaded.server.as.authorization_endpoint));
  url.search = new URLSearchParams({
    ...{ client_id: client.clientId, response_type: "code", scope: client.scope, state: "s" },
    ...{ nonce: "n", redirect_uri: client.callbackUrl, code_challenge_method: "S256" },
    code_challenge: Buffer.from(challenge).toString("base64url"),
  }).toString();
  const { searchParams } = await openId.authorize(url.href);
  const checks = { state: "s", nonce: "n", code_verifier: verifier };
  const { tokens, subject } = await exchangeCode(loaded.server, searchParams, checks, "groups");
  const { idToken, refreshToken = "" } = tokens;
  const refreshed = await refreshTokens(loaded.server, { idToken, refreshToken }, subject);
  if (!refreshed.ok) throw new Error(refreshed.code);
  const next = { idToken, refreshToken: refreshed.tokens.refreshToken ?? "" };
  expect(await refreshTokens(loaded.server, next, "somebody else")).toEqual({
    ok: false,
    code: "ended",
  });
});
