/** Two fronts behind HAProxy, with the file of deploy/, are restarted one after the other while requests are sent. */
import { Agent, request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../scripts/ports.ts";
import { endChild } from "../../scripts/processes.ts";
import { startTlsProxy, type TlsProxy } from "../../test/proxies.ts";
import {
  apiKey,
  makeLink,
  openStage,
  type Process,
  type Stage,
  settledClicks,
  untilReady,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
/** How often each front restarts. */
const restarts = isLong ? 6 : 1;
/** In all; more are sent while a restart takes its time. */
const requestsMin = isLong ? 10_000 : 1_000;
const crowd = 8;
const host = "links.example.com";
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
let stage: Stage;
let proxy: TlsProxy | undefined;
let key = "";
const ports: string[] = [];
const fronts: Process[] = [];
const settings = {
  FUXI_URL: `https://${host}`,
  FUXI_TRUSTED_PROXIES: "127.0.0.1",
  FUXI_DRAIN_SECONDS: "5",
};

beforeAll(async () => {
  stage = await openStage();
  for (let at = 0; at < 2; at++) ports.push(String(await findFreePort()));
  const [api] = await Promise.all([
    stage.start("workers/api.ts", settings),
    stage.start("workers/web.ts", settings),
    stage.start("workers/index.ts", settings),
    startFront(0),
    startFront(1),
  ]);
  ({ key } = await makeLink(api, { url: "https://example.com/rolled" }));
  for (const { url } of fronts) await untilReady(url);
  const folder = join(stage.redisFolder, "..", "haproxy");
  const [port = 0, secondPort = 0] = ports.map(Number);
  proxy = await startTlsProxy("haproxy", { folder, port, secondPort, localPort: 0 });
});

afterAll(async () => {
  await proxy?.stop();
  await stage.close();
});

async function startFront(at: number): Promise<void> {
  fronts[at] = await stage.start("server.ts", { ...settings, PORT: ports[at] ?? "" });
}

/** The status and body of a response, or why there is none. */
function send(agent: Agent, path: string, body?: string): Promise<[number | string, string]> {
  return new Promise((resolve) => {
    const sent = request({
      host: "127.0.0.1",
      port: proxy?.port,
      path,
      agent,
      method: body === undefined ? "GET" : "POST",
      servername: host,
      rejectUnauthorized: false,
      headers: {
        host,
        "user-agent": browser,
        ...(body === undefined
          ? {}
          : { authorization: `Bearer ${apiKey}`, "content-type": "application/json" }),
      },
    });
    sent.once("error", (error) => resolve([String(error), ""]));
    sent.once("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      response.once("end", () => resolve([response.statusCode ?? 0, text]));
      response.once("error", (error) => resolve([String(error), ""]));
    });
    sent.end(body);
  });
}

test(`no request of at least ${requestsMin} fails while each front is restarted, and each click is counted`, {
  timeout: isLong ? 1_200_000 : 600_000,
}, async () => {
  const answers = new Map<string, number>();
  const created: string[] = [];
  let running = true;
  const count = (name: string) => answers.set(name, (answers.get(name) ?? 0) + 1);
  const visitor = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let sent = 0; running; sent++) {
      // A tenth changes something, which no proxy may repeat.
      if (sent % 10 > 0) count(`visit ${(await send(agent, `/${key}`))[0]}`);
      else {
        const body = JSON.stringify({ url: `https://example.com/created/${sent}` });
        const [status, text] = await send(agent, "/api/links", body);
        count(`create ${status}`);
        if (status === 200) created.push(JSON.parse(text).id);
      }
    }
    agent.destroy();
  };
  const visitors = Promise.all(Array.from({ length: crowd }, visitor));
  for (let round = 0; round < restarts; round++) {
    for (const at of [0, 1]) {
      const front = fronts[at];
      if (!front) throw new Error("There are two fronts");
      await endChild(front.child, "SIGTERM", 60_000);
      expect(front.child.exitCode).toBe(0);
      await startFront(at);
      await untilReady(front.url);
      // HAProxy looks once a second; the other front is restarted only when this one is in use.
      const before = await servedBy(front.url);
      await expect.poll(() => servedBy(front.url)).toBeGreaterThan(before + 20);
    }
  }
  const total = () => [...answers.values()].reduce((sum, one) => sum + one, 0);
  await expect.poll(total, { timeout: 600_000 }).toBeGreaterThanOrEqual(requestsMin);
  running = false;
  await visitors;
  expect([...answers.keys()].sort()).toEqual(["create 200", "visit 302"]);
  expect(new Set(created).size).toBe(answers.get("create 200"));
  const visits = answers.get("visit 302") ?? 0;
  expect(await settledClicks(stage, key, visits)).toBe(visits);
});

async function metricsOf(url: string): Promise<string> {
  const headers = { Authorization: `Bearer ${stage.env["FUXI_OPERATOR_TOKEN"]}` };
  return await (await fetch(`${url}/metrics`, { headers })).text();
}

/** Visits that a front has answered since its start. */
async function servedBy(url: string): Promise<number> {
  const text = await metricsOf(url);
  return Number(/^fuxi_visit_seconds_count (\d+)$/m.exec(text)?.[1] ?? 0);
}
