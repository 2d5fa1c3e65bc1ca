/** The files of deploy/ for proxies, run by the real programs, and what its alerts and dashboard read. */
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../scripts/ports.ts";
import {
  fileOf,
  fileOfGuide,
  type ProxyName,
  sendTls,
  shakesHands,
  startTlsProxy,
  type TlsProxy,
} from "../../test/proxies.ts";
import {
  apiKey,
  makeLink,
  openStage,
  type Process,
  readMetrics,
  type Stage,
  untilReady,
} from "./stage.ts";

const names: ProxyName[] = ["nginx", "caddy", "haproxy"];
const host = "links.example.com";
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/** More than one address may have in a minute. */
const tooManyMisses = 1_000;
let stage: Stage;
let front: Process;
let workerPort = "";
const proxies = new Map<ProxyName, TlsProxy>();
let key = "";

beforeAll(async () => {
  stage = await openStage();
  const localPort = await findFreePort();
  workerPort = String(await findFreePort());
  const settings = {
    FUXI_URL: `https://${host}`,
    FUXI_TRUSTED_PROXIES: "127.0.0.1",
    FUXI_DOMAINS_TRUSTED: "yes",
  };
  const api = await stage.start("workers/api.ts", settings);
  [front] = await Promise.all([
    stage.start("server.ts", { ...settings, FUXI_LOCAL_PORT: String(localPort) }),
    stage.start("workers/web.ts", settings),
    // Counts the clicks that live streams deliver.
    stage.start("workers/index.ts", { ...settings, FUXI_WORKER_PORT: workerPort }),
  ]);
  await untilReady(front.url);
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

test.each(["nginx", "caddy"] as const)(
  "the guides of both languages have the file for %s",
  (name) => {
    expect(fileOfGuide(name, "en")).toBe(fileOf(name));
    expect(fileOfGuide(name, "zh")).toBe(fileOf(name));
  },
);

interface Http2Request {
  path: string;
  authority?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** The response ends here; otherwise at its own end. */
  until?: (text: string) => boolean;
  /** Called once the response has begun. */
  onBegun?: () => void;
}

/** A request over HTTP/2, which the proxy has to offer. */
async function sendHttp2(
  { port }: TlsProxy,
  { path, authority = host, method = "GET", headers = {}, body, until, onBegun }: Http2Request,
): Promise<{ status: number; location: string | undefined; text: string }> {
  const session = connect(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    servername: authority,
  });
  try {
    return await new Promise((resolve, reject) => {
      session.once("error", reject);
      const sent = session.request({
        ":method": method,
        ":path": path,
        ":authority": authority,
        ...headers,
      });
      sent.once("error", reject);
      let answer = { status: 0, location: undefined as string | undefined, text: "" };
      sent.once("response", (head) => {
        answer = { ...answer, status: Number(head[":status"]), location: head["location"] };
      });
      sent.on("data", (chunk: Buffer) => {
        const begins = answer.text === "";
        answer.text += chunk;
        if (begins) onBegun?.();
        if (until?.(answer.text)) resolve(answer);
      });
      sent.once("end", () => resolve(answer));
      sent.end(body);
    });
  } finally {
    session.destroy();
  }
}

const authorized = { authorization: `Bearer ${apiKey}` };
/** More than a proxy buffers. */
const uploadRows = 3_000;

describe.each(names)("behind %s", (name) => {
  test("a link of a custom domain redirects", async () => {
    const answer = await sendTls(proxyOf(name), { host: "go.example.com", path: `/${key}` });
    expect(answer).toEqual({ status: 302, location: "https://example.com/behind" });
  });

  test("a visit over HTTP/2 redirects", async () => {
    const visit = { path: `/${key}`, authority: "go.example.com" };
    expect(await sendHttp2(proxyOf(name), visit)).toMatchObject({
      status: 302,
      location: "https://example.com/behind",
    });
  });

  test("a page is passed on, whole", async () => {
    const { status, text } = await sendHttp2(proxyOf(name), { path: "/signin" });
    expect([status, text.trimEnd().endsWith("</html>")]).toEqual([200, true]);
  });

  test("an upload of several megabytes arrives complete", async () => {
    const rows = Array.from({ length: uploadRows }, (_, row) => {
      return `https://example.com/${name}/${row}/${"x".repeat(1_000)}`;
    });
    const { status, text } = await sendHttp2(proxyOf(name), {
      path: "/api/imports",
      method: "POST",
      headers: { ...authorized, "content-type": "text/csv" },
      body: Buffer.from(`url\n${rows.join("\n")}\n`),
    });
    expect([status, JSON.parse(text)]).toMatchObject([201, { rows: uploadRows }]);
  });

  test("a live stream delivers a click while it stays open", async () => {
    const click = { host: "go.example.com", path: `/${key}?via=${name}` };
    const { status, text } = await sendHttp2(proxyOf(name), {
      path: "/api/events/live",
      headers: authorized,
      onBegun: () => void sendTls(proxyOf(name), { ...click, headers: { "User-Agent": browser } }),
      until: (received) => received.includes("event: click"),
    });
    expect(status).toBe(200);
    expect(text).toContain("event: ready");
  });

  test("visitors are told apart by their address, whatever they claim in X-Forwarded-For", async () => {
    const from = `127.0.1.${names.indexOf(name) + 2}`;
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

/** The metrics that alerts and the dashboard read, as the name or as the name with one label `what`. */
function listReadMetrics(): Set<string> {
  const text = ["deploy/prometheus/alerts.yaml", "deploy/grafana/fuxi.json"]
    .map((file) => readFileSync(file, "utf8").replaceAll('\\"', '"'))
    .join("\n");
  const found = text.matchAll(/\b((?:fuxi|nodejs|process)_\w+)(?:\{([^}]*)\})?/g);
  return new Set(
    [...found].map(([, name = "", labels = ""]) => {
      const [, what] = /what="(\w+)"/.exec(labels) ?? [];
      return what ? `${name}{what="${what}"` : name;
    }),
  );
}

test("every metric that alerts and the dashboard read is one that a process reports", async () => {
  // The age of the last backup is reported once there is one.
  await stage.db.query("UPDATE installation SET backed_up_at = now()");
  const worker = await (await fetch(`http://127.0.0.1:${workerPort}/metrics`)).text();
  const reported = `${await readMetrics(front)}\n${worker}`;
  const read = listReadMetrics();
  expect(read.size).toBeGreaterThan(15);
  expect([...read].filter((name) => !reported.includes(`\n${name}`))).toEqual([]);
});
