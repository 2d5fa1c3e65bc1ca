import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeCertificate } from "../../../test/proxies.ts";
import { giveSettings } from "../../../test/settings.ts";
import { probePublic } from "./index.ts";

giveSettings({ FUXI_FETCH: "loopback" });

const folder = mkdtempSync(join(tmpdir(), "fuxi-probe-"));
let status = 200;
let location: string | undefined;
let requests = 0;
const servers: Server[] = [];
let plain = 0;
let secure = 0;

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on("request", (_req, res) => {
    requests += 1;
    res.writeHead(status, location ? { location } : {}).end("x".repeat(1_000_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  await makeCertificate(certificate, key);
  plain = await listen(createServer());
  const pem = { cert: readFileSync(certificate), key: readFileSync(key) };
  secure = await listen(createTlsServer(pem));
});
beforeEach(() => {
  status = 200;
  location = undefined;
  requests = 0;
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const probe = (url: string) => probePublic({ url, timeoutMs: 3_000 });

test.each([200, 404, 503])("a server that answers %i is reported with it", async (answered) => {
  status = answered;
  expect(await probe(`http://127.0.0.1:${plain}/`)).toEqual({
    status: answered,
    certificate: null,
  });
});

test("a redirect is an answer and is not followed", async () => {
  status = 302;
  location = `http://127.0.0.1:${plain}/other`;
  expect(await probe(`http://127.0.0.1:${plain}/`)).toMatchObject({ status: 302 });
  expect(requests).toBe(1);
});

test("a certificate that this machine does not trust is invalid, and the server still answers", async () => {
  const found = await probe(`https://127.0.0.1:${secure}/`);
  expect(found).toMatchObject({
    status: 200,
    certificate: { valid: false, issuer: "links.example.com" },
  });
  const left = Date.parse(found?.certificate?.validUntil ?? "") - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(3 * 86_400_000);
});

test("without a server there is no answer and no certificate", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await probe(`https://127.0.0.1:${port}/`)).toEqual({ status: null, certificate: null });
});

test.each([
  "http://10.0.0.1/",
  "http://169.254.169.254/latest",
  "ftp://example.com/",
  "http://user:secret@example.com/",
])("%s is not asked at all", async (url) => {
  expect(await probe(url)).toBeUndefined();
});

test("a name with a private address gets no connection", async () => {
  const resolve = async () => [{ address: "10.0.0.1", family: 4 }];
  const found = await probePublic({ url: "https://inside.example/", timeoutMs: 2_000, resolve });
  expect(found).toEqual({ status: null, certificate: null });
});
