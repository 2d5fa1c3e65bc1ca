/**
 * Two importers of the same account at once, with a token, while their worker is killed: as they read the other system,
 * and as their imports create the links.
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { goodToken, type OtherSystem, startSystem } from "../../test/other-systems.ts";
import { openStage, type Process, type Stage } from "./stage.ts";

const count = 3_000;
/** While a worker waits for these pages of the other system, it is killed. */
const killedAtPages = [8, 20];
const endMs = 600_000;
const fetching = { FUXI_FETCH: "loopback" };

let stage: Stage;
let api: Process;
let worker: Process;
let server: OtherSystem;

beforeAll(async () => {
  stage = await openStage();
  [api, worker, server] = await Promise.all([
    stage.start("workers/api.ts", fetching),
    stage.start("workers/index.ts", fetching),
    startSystem("shlink", "old.example", count),
  ]);
});

afterAll(async () => {
  await stage.close();
  await server.close();
});

const importerShape = z.object({
  id: z.string(),
  state: z.string(),
  found: z.number(),
  importId: z.string().nullable(),
});
const importShape = z.object({
  id: z.string(),
  state: z.string(),
  done: z.number(),
  made: z.number(),
  refused: z.number(),
});

async function ask<Shape extends z.ZodType>(
  shape: Shape,
  method: string,
  path: string,
  body?: object,
): Promise<z.output<Shape>> {
  const { status, body: answer } = await api.call(method, path, body);
  if (status >= 300) throw new Error(JSON.stringify(answer));
  return shape.parse(answer);
}

async function until<Found>(read: () => Promise<Found> | Found, isDone: (found: Found) => boolean) {
  const end = Date.now() + endMs;
  for (let found = await read(); ; found = await read()) {
    if (isDone(found)) return found;
    if (Date.now() > end) throw new Error(`Not reached: ${JSON.stringify(found)}`);
    await setTimeout(20);
  }
}

/** Ends the worker as the kernel would, and starts another; skips the wait for the leases to expire. */
async function killWorker(): Promise<void> {
  worker.kill("SIGKILL");
  await stage.db.query("UPDATE importer SET seen_at = now() - interval '1 minute'");
  await stage.db.query("UPDATE import SET seen_at = now() - interval '1 minute'");
  worker = await stage.start("workers/index.ts", fetching);
}

const callsOf = (page: number) => server.calls.filter((call) => call.includes(`?page=${page}&`));

test("a worker that is killed repeatedly, while two importers read the same account, loses no link and doubles none", {
  timeout: endMs + 60_000,
}, async () => {
  const openGates: (() => void)[] = [];
  const closeGate = (page: number) => {
    server.gated = `?page=${page}&`;
    server.gate = new Promise((resolve) => openGates.push(resolve));
  };
  closeGate(killedAtPages[0] ?? 1);
  const body = { system: "shlink", token: goodToken, address: server.address, clicks: true };
  const importers = [
    await ask(importerShape, "POST", "/importers", body),
    await ask(importerShape, "POST", "/importers", body),
  ];
  for (const [at, page] of killedAtPages.entries()) {
    await until(
      () => callsOf(page),
      (calls) => calls.length === importers.length,
    );
    const next = killedAtPages[at + 1];
    if (next) closeGate(next);
    else server.gate = undefined;
    openGates.shift()?.();
    await killWorker();
  }
  const importIds: string[] = [];
  for (const { id } of importers) {
    const ended = await until(
      () => ask(importerShape, "GET", `/importers/${id}`),
      ({ state }) => state !== "waiting" && state !== "running",
    );
    expect(ended).toMatchObject({ state: "ready", found: count });
    importIds.push(String(ended.importId));
  }
  // What was stored before a kill is not read again.
  const before = (killedAtPages.at(-1) ?? 1) - 1;
  expect(callsOf(before)).toHaveLength(importers.length);

  // The list of domains has only those of the workspace.
  const link = await ask(z.object({ domain: z.string() }), "POST", "/links", {
    url: "https://example.com/",
  });
  const options = { otherDomain: link.domain, onTakenKey: "generate" };
  for (const id of importIds) {
    await ask(importShape, "PATCH", `/imports/${id}`, { options });
    await ask(importShape, "POST", `/imports/${id}/start`);
  }
  const states = () =>
    Promise.all(importIds.map((id) => ask(importShape, "GET", `/imports/${id}`)));
  const doneOf = (found: Awaited<ReturnType<typeof states>>) =>
    found.reduce((sum, { done }) => sum + done, 0);
  const atKill = doneOf(await until(states, (found) => doneOf(found) > 0));
  await killWorker();
  // It was killed in the middle.
  expect(atKill).toBeLessThan(importIds.length * count);
  const ended = await until(states, (found) => found.every(({ state }) => state === "done"));
  const sum = (name: "made" | "refused") => ended.reduce((all, one) => all + one[name], 0);
  expect([sum("made"), sum("refused")]).toEqual([count, count]);
  const { rows } = await stage.db.query(`
    SELECT count(*)::int AS links, count(DISTINCT origin->>'shortLink')::int AS origins,
      count(DISTINCT url)::int AS urls
    FROM link
    WHERE origin IS NOT NULL`);
  expect(rows).toEqual([{ links: count, origins: count, urls: count }]);
});
