/** Opened private networks: what they add, and what stays closed whatever they say. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseConfig } from "#lib/platform/config";
import { connectInside } from "../../../test/inside.ts";
import { giveSettings } from "../../../test/settings.ts";
import { isAllowedUrl, postPublic } from "./index.ts";

giveSettings({
  DATABASE_URL: "postgres://10.2.0.9:5432,10.2.0.10/none",
  REDIS_URL: "sentinel://:pass@10.2.0.11:26379,10.2.0.12:26379/main",
});
delete process.env["FUXI_FETCH"];

const workspace = "ws_01KAYV5M3EJ2Q4R8ZC7D0N6XWB";
const networksOf = (...entries: string[]) =>
  parseConfig({
    ...process.env,
    FUXI_PRIVATE_NETWORKS: entries.map((entry) => `${workspace}=${entry}`).join(","),
  }).FUXI_PRIVATE_NETWORKS;

let server: Server;
let requests: string[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    requests.push(String(req.headers.host));
    res.end("inside");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  connectInside((server.address() as AddressInfo).port);
});
beforeEach(() => {
  requests = [];
});
afterAll(() => void server.close());

async function outcomeOf(url: string, networks = networksOf("10.2.0.0/16"), resolved?: string[]) {
  const resolve = async () => (resolved ?? []).map((address) => ({ address, family: 4 }));
  const call = { url, headers: {}, body: "secret", timeoutMs: 2_000, bytesMax: 100, resolve };
  return (await postPublic({ ...call, networks })).kind;
}

test.each([
  ["http://10.2.0.1/", "10.2.0.0/16"],
  ["http://10.2.255.255:8080/send", "10.2.0.0/16"],
  ["http://10.2.0.1:9000/", "10.2.0.0/16:9000"],
  ["http://10.2.0.1/", "10.2.0.0/16:80"],
  ["http://192.168.7.7/", "192.168.7.7/32"],
])("%s is reached through %s", async (url, network) => {
  expect(isAllowedUrl(new URL(url), { networks: networksOf(network) })).toBe(true);
  expect(await outcomeOf(url, networksOf(network))).toBe("answered");
  expect(requests).toEqual([new URL(url).host]);
});

test("a name is reached when all of its addresses are in the network", async () => {
  const opened = networksOf("10.2.0.0/16:8080");
  const url = "http://sms.corp.example:8080/";
  expect(await outcomeOf(url, opened, ["10.2.0.1", "10.2.0.2"])).toBe("answered");
  expect(await outcomeOf(url, opened, ["10.2.0.1", "10.3.0.1"])).toBe("unsent");
  expect(await outcomeOf(url, opened, ["10.2.0.1", "127.0.0.1"])).toBe("unsent");
  expect(await outcomeOf(url, opened, ["169.254.169.254"])).toBe("unsent");
  expect(requests).toHaveLength(1);
});

test("an unencrypted request never leaves the opened networks", async () => {
  const url = "http://sms.corp.example:8080/";
  expect(await outcomeOf(url, networksOf("10.2.0.0/16:8080"), ["93.184.216.34"])).toBe("unsent");
  expect(await outcomeOf("http://93.184.216.34/")).toBe("unsent");
  expect(await outcomeOf("http://93.184.216.34/", [])).toBe("unsent");
  expect(requests).toEqual([]);
});

const machine = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .flatMap(({ address }) => address)
  .filter((address) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address));

test.each([
  ["another network", "http://10.3.0.1/", "10.2.0.0/16"],
  ["another port", "http://10.2.0.1:8443/", "10.2.0.0/16:8080"],
  ["a port that is none of the web", "http://10.2.0.1:6379/", "10.2.0.0/16"],
  ["no network at all", "http://10.2.0.1/", ""],
  ["a server of PostgreSQL", "http://10.2.0.9:5432/", "10.2.0.0/16:5432"],
  ["its second server, at a port of the web", "http://10.2.0.10:8080/", "10.0.0.0/8"],
  ["a Sentinel", "http://10.2.0.12:26379/", "10.2.0.0/16:26379"],
  ["a store, written in IPv6", "http://[::ffff:10.2.0.9]:8080/", "10.2.0.0/16"],
  ["loopback", "http://127.0.0.1:8080/", "10.0.0.0/8"],
  ["link-local metadata", "http://169.254.169.254/", "10.0.0.0/8"],
  ["metadata of AWS in IPv6", "http://[fd00:ec2::254]/", "fd00::/8"],
  ["metadata of Google Cloud in IPv6", "http://[fd20:ce::254]/", "fd00::/8"],
  ...machine.map((address) => ["this machine", `http://${address}:8080/`, `${address}/32`]),
])("%s stays closed: %s", async (_, url = "", network = "") => {
  expect(await outcomeOf(url, network === "" ? [] : networksOf(network))).toBe("unsent");
  expect(requests).toEqual([]);
});

test("calls without networks reach no private address", async () => {
  const call = { headers: {}, body: "", timeoutMs: 2_000, bytesMax: 100 };
  expect(await postPublic({ ...call, url: "http://10.2.0.1/" })).toEqual({ kind: "unsent" });
  expect(requests).toEqual([]);
});
