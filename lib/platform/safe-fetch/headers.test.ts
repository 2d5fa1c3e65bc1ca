import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { giveSettings } from "../../../test/settings.ts";
import { askHeaders } from "./index.ts";

giveSettings();
delete process.env["FUXI_FETCH"];

let server: Server;
let port = 0;
let requests = 0;

beforeAll(async () => {
  server = createServer((_req, res) => {
    requests += 1;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const ask = (url: string, addresses: string[] = []) =>
  askHeaders({
    url: new URL(url),
    method: "HEAD",
    userAgent: "test",
    timeoutMs: 2_000,
    resolve: async () => addresses.map((address) => ({ address, family: 4 })),
  });

test.each([
  () => `http://127.0.0.1:${port}/`,
  () => "http://10.0.0.1/",
  () => "http://169.254.169.254/latest/meta-data/",
  () => "ftp://example.com/",
  () => "http://name:secret@example.com/",
  () => "http://example.com:5432/",
])("%s is not asked", async (urlOf) => {
  expect(await ask(urlOf())).toEqual({ kind: "unknown" });
  expect(requests).toBe(0);
});

test("a name with a private address fails like one without any, so that nobody learns which internal names exist", async () => {
  const missing = await ask("http://intranet.example/");
  expect(missing).toEqual({ kind: "failed", why: "dns" });
  for (const address of ["127.0.0.1", "10.0.0.1", "192.168.0.1", "169.254.169.254"]) {
    expect(await ask("http://intranet.example/", [address])).toEqual(missing);
  }
  expect(await ask("http://intranet.example/", ["93.184.216.34", "10.0.0.1"])).toEqual(missing);
  expect(requests).toBe(0);
});
