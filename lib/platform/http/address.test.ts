/** The country of a visitor, as a proxy sends it. */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://nowhere/fuxi",
    REDIS_URL: "redis://nowhere",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
    FUXI_TRUSTED_PROXIES: "10.0.0.0/8",
  });
});

interface Sent {
  from: string;
  name?: string;
  value?: string | string[];
  setting?: string;
}

async function countryOf({ from, name = "cf-ipcountry", value = "FR", setting }: Sent) {
  vi.resetModules();
  process.env["FUXI_COUNTRY_HEADER"] = setting ?? "CF-IPCountry";
  const http = await import("#lib/platform/http");
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: from });
  const req = new IncomingMessage(socket);
  Object.assign(req.headers, { [name]: value });
  return http.countryOf(req);
}

test("the header of a trusted proxy is the country", async () => {
  expect(await countryOf({ from: "10.1.2.3" })).toBe("FR");
  const named = { name: "x-vercel-ip-country", setting: "X-Vercel-IP-Country" };
  expect(await countryOf({ from: "10.1.2.3", ...named })).toBe("FR");
});

test("the header of anyone else is ignored", async () => {
  expect(await countryOf({ from: "203.0.113.9" })).toBe("");
});

test("without the setting no header is read", async () => {
  expect(await countryOf({ from: "10.1.2.3", setting: "" })).toBe("");
});

test.each(["", "fr", "FRA", "T1", "F\x1f", "FR, DE"])("%j is no country", async (value) => {
  expect(await countryOf({ from: "10.1.2.3", value })).toBe("");
});

async function addressOf(from: string, forwarded?: string) {
  vi.resetModules();
  const http = await import("#lib/platform/http");
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: from });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers["x-forwarded-for"] = forwarded;
  return http.addressOf(req);
}

test.each([
  ["one address from a trusted proxy", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
  ["one address with spaces", "10.1.2.3", " 203.0.113.9 ", "203.0.113.9"],
  [
    "the last untrusted one of several",
    "10.1.2.3",
    "198.51.100.7, 203.0.113.9, 10.9.9.9",
    "203.0.113.9",
  ],
  ["the proxy itself, without the header", "10.1.2.3", undefined, "10.1.2.3"],
  ["the proxy itself, with an empty header", "10.1.2.3", "", "10.1.2.3"],
  ["the sender, if it is not trusted", "203.0.113.9", "198.51.100.7", "203.0.113.9"],
  [
    "the sender, if it is not trusted, of several",
    "203.0.113.9",
    "198.51.100.7, 10.1.2.3",
    "203.0.113.9",
  ],
])("the address of a visitor is %s", async (_case, from, forwarded, address) => {
  expect(await addressOf(from, forwarded)).toBe(address);
});
