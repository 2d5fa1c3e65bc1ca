/** Names of outgoing requests are resolved by the resolvers of the instance, without threads of this process. */
import { scrypt } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestDns } from "../../../test/dns.ts";
import { fetchPublic } from "./index.ts";

const dns = new TestDns();
let server: Server;
let port: number;

beforeAll(async () => {
  await dns.open();
  Object.assign(process.env, {
    DATABASE_URL: "postgres://localhost/none",
    REDIS_URL: "redis://localhost",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
    FUXI_FETCH: "loopback",
    FUXI_DNS_SERVERS: dns.address,
  });
  server = createServer((_req, res) => res.end("inside"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.close();
  await dns.close();
});

async function outcomeOf(host: string) {
  return await fetchPublic({
    url: `http://${host}:${port}/`,
    accept: "*/*",
    limits: { timeoutMs: 20_000, bytesMax: 100, redirectsMax: 0 },
    open: () => () => true,
  });
}

test("a name has the addresses that the configured resolvers give, and no other", async () => {
  dns.set("site.example", { a: ["127.0.0.1"] });
  dns.set("mixed.example", { a: ["127.0.0.1", "10.0.0.1"] });
  expect(await outcomeOf("site.example")).toMatchObject({ ok: true });
  expect(await outcomeOf("mixed.example")).toMatchObject({ ok: false, code: "unreachable" });
  expect(await outcomeOf("none.example")).toMatchObject({ ok: false, code: "unreachable" });
});

test("names whose server does not answer delay no work that needs a thread", async () => {
  dns.set("silent.example", { fault: "silence" });
  const fetches = Promise.all(Array.from({ length: 12 }, () => outcomeOf("silent.example")));
  while (!dns.asked.includes("silent.example")) await new Promise((done) => setImmediate(done));
  const hash = new Promise<string>((done) => scrypt("x", "salt", 32, () => done("hash")));
  expect(await Promise.race([fetches.then(() => "fetches"), hash])).toBe("hash");
  for (const outcome of await fetches) expect(outcome).toMatchObject({ code: "unreachable" });
});
