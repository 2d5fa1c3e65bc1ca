/** Refused everywhere except in tests: this machine, and everything that only it reaches. */
import type { LookupAddress } from "node:dns";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timeBound } from "../../../test/bounds.ts";
import { giveSettings } from "../../../test/settings.ts";
import { fetchPublic, postPublic } from "./index.ts";
import { addressKindOf } from "./targets.ts";

giveSettings();
delete process.env["FUXI_FETCH"];

let server: Server;
let port: number;
let requests = 0;

beforeAll(async () => {
  server = createServer((_req, res) => {
    requests += 1;
    res.end("inside");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

async function outcomeOf(url: string, resolve?: (host: string) => Promise<LookupAddress[]>) {
  return await fetchPublic({
    url,
    accept: "*/*",
    limits: { timeoutMs: 2_000, bytesMax: 100, redirectsMax: 3 },
    open: () => () => true,
    ...(resolve ? { resolve } : {}),
  });
}

test.each([
  ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1"],
  ...["169.254.169.254", "100.64.0.1", "100.127.255.255", "198.18.0.1", "192.0.0.1", "224.0.0.1"],
  ...[
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "203.0.113.1",
  ],
  ...["::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "fec0::1", "2001:db8::1"],
  ...["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1"],
  ...["64:ff9b:1::1", "2002:7f00:1::", "2001:0:7f00:1::", "100::1", "nonsense", ""],
])("%s is not public", (address) => {
  expect(addressKindOf(address)).not.toBe("public");
});

test.each(["1.1.1.1", "93.184.216.34", "100.63.255.255", "172.32.0.1", "2606:4700::1111"])(
  "%s is public",
  (address) => {
    expect(addressKindOf(address)).toBe("public");
  },
);

test("this machine is reached under no name and in no notation of its address", async () => {
  const hosts = [
    ...["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1"],
    ...["[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "localhost.", "127.0.0.1."],
  ];
  for (const host of hosts) {
    const outcome = await outcomeOf(`http://${host}:${port}/`);
    expect([host, outcome]).toEqual([host, { ok: false, code: "unreachable" }]);
  }
  expect(requests).toBe(0);
});

test("a name is refused when any of its addresses is not public, whatever it resolves to later", async () => {
  const lists: LookupAddress[][] = [
    [{ address: "127.0.0.1", family: 4 }],
    [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
    [{ address: "::ffff:127.0.0.1", family: 6 }],
    [],
  ];
  for (const list of lists) {
    const outcome = await outcomeOf("http://page.test:8080/", () => Promise.resolve(list));
    expect(outcome).toEqual({ ok: false, code: "unreachable" });
  }
});

test.each([
  "ftp://93.184.216.34/",
  "file:///etc/passwd",
  "data:text/html,x",
  "http://93.184.216.34:22/",
  "http://93.184.216.34:6379/",
  "https://user:secret@93.184.216.34/",
])("%s is refused without a lookup", async (url) => {
  const startedAt = performance.now();
  expect(await outcomeOf(url)).toEqual({ ok: false, code: "unreachable" });
  expect(performance.now() - startedAt).toBeLessThan(timeBound(1_000));
});

test("a POST goes nowhere either", async () => {
  const urls = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    "file:///etc/passwd",
    "x",
  ];
  for (const url of urls) {
    const post = { url, headers: {}, body: "secret", timeoutMs: 2_000, bytesMax: 100 };
    expect(await postPublic(post)).toEqual({ kind: "unsent" });
  }
  expect(requests).toBe(0);
});
