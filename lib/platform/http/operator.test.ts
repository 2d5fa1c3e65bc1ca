import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findFreePort } from "../../../scripts/ports.ts";
import { send } from "../../../test/http-client.ts";

const token = "a token of more than 24 characters";
const behindProxy = { "x-forwarded-for": "203.0.113.9" };
let close: () => Promise<void> = () => Promise.resolve();

beforeEach(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://nowhere/fuxi",
    REDIS_URL: "redis://nowhere",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
    FUXI_LOG_LEVEL: "silent",
  });
});

afterEach(() => close());

async function open(operatorToken: string): Promise<string> {
  vi.resetModules();
  process.env["FUXI_OPERATOR_TOKEN"] = operatorToken;
  const { serve } = await import("#lib/platform/http");
  ({ closeAll: close } = await import("#lib/platform/processes"));
  const port = await findFreePort();
  await serve({
    port,
    host: "127.0.0.1",
    onRequest: (_req, res) => void res.writeHead(404).end(),
    checks: {},
  });
  return `http://127.0.0.1:${port}`;
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return (await send(url, { headers })).status;
}

test.each(["/metrics", "/status"])(
  "%s on the public port needs the token, also from this machine",
  async (path) => {
    const url = (await open(token)) + path;
    const statusWith = (authorization: string, more = {}) =>
      statusOf(url, { authorization, ...more });
    expect(await statusWith(`Bearer ${token}`)).toBe(200);
    expect(await statusWith(`Bearer ${token}`, behindProxy)).toBe(200);
    // A proxy on this machine may forward requests of visitors without any header.
    expect(await statusOf(url, {})).toBe(404);
    expect(await statusOf(url, { "x-forwarded-for": "127.0.0.1" })).toBe(404);
    expect(await statusWith(`Bearer ${token}x`)).toBe(401);
    expect(await statusWith(token)).toBe(401);
    expect(await statusWith("Bearer ")).toBe(401);
    const refused = await send(url, { headers: { authorization: "Bearer wrong" } });
    expect(refused.headers).toMatchObject({
      "content-type": "text/plain",
      "www-authenticate": "Bearer",
    });
    expect(refused.text).toContain("FUXI_OPERATOR_TOKEN");
  },
);

test("without a token in the settings every token is refused", async () => {
  const url = `${await open("")}/status`;
  expect(await statusOf(url, {})).toBe(404);
  expect(await statusOf(url, { authorization: "Bearer " })).toBe(404);
  expect(await statusOf(url, { authorization: "Bearer undefined" })).toBe(404);
});

/** A port on loopback like that of FUXI_LOCAL_PORT. */
async function openLocal(): Promise<string> {
  vi.resetModules();
  const { serveLocally } = await import("#lib/platform/http");
  ({ closeAll: close } = await import("#lib/platform/processes"));
  const port = await findFreePort();
  await serveLocally({ port, checks: {} });
  return `http://127.0.0.1:${port}`;
}

test.each([
  ["/metrics", 200],
  ["/status", 200],
  ["/healthz", 200],
  ["/", 404],
])("%s on the local port answers %i without a token", async (path, status) => {
  expect(await statusOf((await openLocal()) + path, {})).toBe(status);
});

/** A port that responds 200 to clients that may ask for certificates. */
async function openCertificates(certificateToken: string): Promise<string> {
  vi.resetModules();
  process.env["FUXI_CERTIFICATE_TOKEN"] = certificateToken;
  const { mayAskForCertificates, serve } = await import("#lib/platform/http");
  ({ closeAll: close } = await import("#lib/platform/processes"));
  const port = await findFreePort();
  await serve({
    port,
    host: "127.0.0.1",
    onRequest: (req, res) => {
      const token = new URL(req.url ?? "", "http://x").searchParams.get("token");
      res.writeHead(mayAskForCertificates(req, token) ? 200 : 404).end();
    },
    checks: {},
  });
  return `http://127.0.0.1:${port}`;
}

test("certificate requests on the public port need the token, also from this machine", async () => {
  const url = await openCertificates(token);
  const query = (value: string) => `${url}/?token=${encodeURIComponent(value)}`;
  expect(await statusOf(query(token), behindProxy)).toBe(200);
  expect(await statusOf(url, { authorization: `Bearer ${token}` })).toBe(200);
  for (const wrong of ["", `${token}x`, token.slice(1), token.toUpperCase()]) {
    expect(await statusOf(query(wrong), {}), wrong).toBe(404);
    expect(await statusOf(url, { authorization: `Bearer ${wrong}` }), wrong).toBe(404);
  }
  expect(await statusOf(url, {})).toBe(404);
  await close();
  const none = await openCertificates("");
  expect(await statusOf(none, {})).toBe(404);
  expect(await statusOf(`${none}/?token=undefined`, {})).toBe(404);
});

test("the status has the values that operators look for, as numbers", async () => {
  const { text } = await send(`${await openLocal()}/status`);
  expect(JSON.parse(text)).toEqual({
    cache: { hit: 0, miss: 0, error: 0 },
    database: { select: 0, update: 0, error: 0 },
    lock: { get: 0, error: 0 },
    generator: { current: 0, error: 0 },
  });
});
