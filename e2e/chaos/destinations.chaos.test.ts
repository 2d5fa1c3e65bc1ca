import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { openStage, type Process, pause, type Stage } from "./stage.ts";

const changes = process.env["TEST_LONG"] ? 50 : 2;
const seenWithinMs = timeBound(1_000);
const firstSeenMs = 200_000;
let stage: Stage;
let one: Process;
let other: Process;
let server: Server;
const site = { status: 200, body: '["source.example"]' };

beforeAll(async () => {
  stage = await openStage();
  server = createServer((_req, res) => res.writeHead(site.status).end(site.body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  [one, other] = await Promise.all([startApi(), startApi()]);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stage.close();
});

function startApi(): Promise<Process> {
  return stage.start("workers/api.ts", { FUXI_FETCH: "loopback" });
}

async function change(api: Process, body: object): Promise<void> {
  const { status } = await api.call("PATCH", "/destinations", { kind: "block", ...body });
  expect(status).toBe(200);
}

/** Milliseconds until a create answers like this; undefined when it takes too long. */
async function answersAfter(
  api: Process,
  host: string,
  status: number,
  withinMs = seenWithinMs,
): Promise<number | undefined> {
  const from = performance.now();
  for (;;) {
    const answer = await api.call("POST", "/links", { url: `https://${host}/` });
    const ms = performance.now() - from;
    if (answer.status === status) return ms;
    if (ms > withinMs) return undefined;
    await pause(5);
  }
}

async function changesAreSeen(round: string): Promise<number> {
  let seen = 0;
  for (let at = 0; at < changes; at++) {
    const host = `${round}-${at}.example`;
    expect((await other.call("POST", "/links", { url: `https://${host}/` })).status).toBe(200);
    await change(one, { add: [host] });
    if ((await answersAfter(other, host, 422)) === undefined) continue;
    await change(one, { remove: [host] });
    if ((await answersAfter(other, host, 200)) !== undefined) seen += 1;
  }
  return seen;
}

test(`a change through one process is seen by another within a second, ${changes} of ${changes}`, async () => {
  expect(await changesAreSeen("linked")).toBe(changes);
});

test(`the same while Redis is stopped, ${changes} of ${changes}`, async () => {
  process.kill(stage.redisPid(), "SIGSTOP");
  try {
    expect(await changesAreSeen("alone")).toBe(changes);
  } finally {
    process.kill(stage.redisPid(), "SIGCONT");
  }
});

test("a process that starts while the source is down uses its last good content", async () => {
  const { port } = server.address() as AddressInfo;
  await change(one, { source: `http://127.0.0.1:${port}/list.json` });
  expect(await answersAfter(one, "source.example", 422)).toBeDefined();
  site.status = 503;
  const polled = await one.call("POST", "/destinations/poll", { kind: "block" });
  expect(polled.body.problem).toMatchObject({ code: "source_status", params: { status: 503 } });
  const later = await startApi();
  expect((await later.call("POST", "/links", { url: "https://source.example/" })).status).toBe(422);
  Object.assign(site, { status: 200, body: "[]" });
  await stage.start("workers/index.ts", {
    FUXI_FETCH: "loopback",
    FUXI_DESTINATIONS_POLL_SECONDS: "1",
  });
  expect(await answersAfter(later, "source.example", 200, firstSeenMs)).toBeDefined();
});
