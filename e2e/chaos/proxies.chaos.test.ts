/** The proxy files of the guide for administrators, run by the real programs. */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../scripts/ports.ts";
import {
  fileOfGuide,
  type ProxyName,
  sendTls,
  shakesHands,
  startTlsProxy,
  type TlsProxy,
} from "../../test/proxies.ts";
import { makeLink, openStage, type Stage } from "./stage.ts";

const names: ProxyName[] = ["nginx", "caddy"];
const host = "links.example.com";
/** More than one address may have in a minute. */
const tooManyMisses = 1_000;
let stage: Stage;
const proxies = new Map<ProxyName, TlsProxy>();
let key = "";

beforeAll(async () => {
  stage = await openStage();
  const localPort = await findFreePort();
  const settings = {
    FUXI_URL: `https://${host}`,
    FUXI_TRUSTED_PROXIES: "127.0.0.1",
    FUXI_DOMAINS_TRUSTED: "yes",
  };
  const api = await stage.start("workers/api.ts", settings);
  const front = await stage.start("workers/redirect.ts", {
    ...settings,
    FUXI_LOCAL_PORT: String(localPort),
  });
  const { status } = await api.call("POST", "/domains", { slug: "go.example.com" });
  expect(status).toBe(201);
  ({ key } = await makeLink(api, { url: "https://example.com/behind", domain: "go.example.com" }));
  for (const name of names) {
    const folder = join(stage.redisFolder, "..", name);
    const port = Number(new URL(front.url).port);
    proxies.set(name, await startTlsProxy(name, { folder, port, localPort }));
  }
});

afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.stop();
  await stage.close();
});

function proxyOf(name: ProxyName): TlsProxy {
  const proxy = proxies.get(name);
  if (!proxy) throw new Error(`${name} does not run`);
  return proxy;
}

test.each(names)("the guides of both languages have the same file for %s", (name) => {
  expect(fileOfGuide(name, "zh")).toBe(fileOfGuide(name, "en"));
});

describe.each(names)("behind %s", (name) => {
  test("a link of a custom domain redirects", async () => {
    const answer = await sendTls(proxyOf(name), { host: "go.example.com", path: `/${key}` });
    expect(answer).toEqual({ status: 302, location: "https://example.com/behind" });
  });

  test("visitors are told apart by their address, whatever they claim in X-Forwarded-For", async () => {
    const from = name === "nginx" ? "127.0.0.2" : "127.0.0.3";
    const miss = async (at: number) => {
      const claimed = `198.51.${randomInt(256)}.${at % 256}`;
      const headers = {
        "X-Forwarded-For": claimed,
        "X-Real-IP": claimed,
        Forwarded: `for=${claimed}`,
      };
      const path = `/none${at}`;
      return (await sendTls(proxyOf(name), { host: "go.example.com", path, headers, from })).status;
    };
    let misses = 0;
    while (misses < tooManyMisses && (await miss(misses)) === 404) misses += 1;
    expect(await miss(misses)).toBe(429);
    const other = await sendTls(proxyOf(name), {
      host: "go.example.com",
      path: "/none",
      from: "127.0.0.4",
    });
    expect(other.status).toBe(404);
  });

  test.each(["/metrics", "/status", "/.well-known/fuxi-certificate?domain=go.example.com"])(
    "%s is answered like a missing link",
    async (path) => {
      for (const asked of [path, `/x/..${path}`, `//${path.slice(1)}`]) {
        const answer = await sendTls(proxyOf(name), {
          host: "go.example.com",
          path: asked,
          from: "127.0.0.5",
        });
        expect(answer.status, asked).toBeGreaterThanOrEqual(400);
        expect(answer.status, asked).toBeLessThan(500);
      }
    },
  );
});

test("Caddy gets certificates for active domains only", async () => {
  const caddy = proxyOf("caddy");
  expect(await shakesHands(caddy, "go.example.com")).toBe(true);
  expect(await shakesHands(caddy, host)).toBe(true);
  expect(await shakesHands(caddy, "unknown.example.com")).toBe(false);
});
