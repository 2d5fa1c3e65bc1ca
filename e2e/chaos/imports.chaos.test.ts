import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../test/http-client.ts";
import { openQueue } from "../../test/queues.ts";
import { apiKey, existingPid, openStage, type Process, type Stage } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const rows = isLong ? 200_000 : 4_000;
const kills = isLong ? 3 : 2;
const endMs = 900_000;

let stage: Stage;
let api: Process;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.start("workers/api.ts");
});

afterAll(() => stage.close());

interface ImportState {
  id: string;
  state: string;
  done: number;
  made: number;
  refused: number;
}

async function ask(method: string, path: string, body?: string): Promise<ImportState> {
  const answer = await send(`${api.url}/api/imports${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "text/csv" },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status >= 300) throw new Error(answer.text);
  return JSON.parse(answer.text);
}

/** The processes of this import that run here. */
function listProcesses(id: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readCommand(name).includes(id))
    .map(Number);
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it ended meanwhile
    }
  }
}

function fileOf(name: string): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `https://example.com/${row},${name} ${row}`,
  );
  return `url,title\n${lines.join("\n")}\n`;
}

async function startImport(name: string): Promise<string> {
  const { id } = await ask("POST", "?name=chaos.csv", fileOf(name));
  await ask("POST", `/${id}/start`);
  return id;
}

async function expectEachRowOnce(name: string): Promise<void> {
  const { rows: links } = await stage.db.query(
    "SELECT count(*)::int AS links, count(DISTINCT url)::int AS urls FROM link WHERE title LIKE $1",
    [`${name} %`],
  );
  expect(links).toEqual([{ links: rows, urls: rows }]);
}

test("a worker that is killed repeatedly during an import gives each row one link and one result", {
  timeout: endMs + 60_000,
}, async () => {
  const id = await startImport("Row");
  const killedAt: number[] = [];
  let worker = await stage.start("workers/index.ts");
  const end = Date.now() + endMs;
  let found = await ask("GET", `/${id}`);
  while (found.state !== "done" && Date.now() < end) {
    const wanted = ((killedAt.length + 1) * rows) / (kills + 2);
    if (killedAt.length < kills && found.done >= wanted) {
      // As the kernel would: kills the process of the import and the worker that started it; once only the import.
      if (killedAt.length > 0) signalAll(listProcesses(id), "SIGKILL");
      worker.kill("SIGKILL");
      killedAt.push(found.done);
      // Skips the wait for the lease to expire.
      await stage.db.query("UPDATE import SET seen_at = now() - interval '1 minute'");
      worker = await stage.start("workers/index.ts");
    }
    await setTimeout(50);
    found = await ask("GET", `/${id}`);
  }
  expect(killedAt).toHaveLength(kills);
  expect(found).toMatchObject({ state: "done", done: rows, made: rows, refused: 0 });
  await expectEachRowOnce("Row");
  const results = await send(`${api.url}/api/imports/${id}/results`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const [, ...resultLines] = results.text.trim().split("\r\n");
  const numbers = resultLines.map((line) => Number(/,(\d+),made,$/.exec(line)?.[1]));
  expect(numbers).toEqual(Array.from({ length: rows }, (_, row) => row + 2));
  const { rows: short } = await stage.db.query(
    "SELECT key FROM link WHERE title LIKE 'Row %' ORDER BY key",
  );
  const keys = resultLines.map((line) => /\/([^/,]+),link_/.exec(line)?.[1]).toSorted();
  expect(keys).toEqual(short.map(({ key }) => key).toSorted());
  worker.kill("SIGKILL");
});

/** Jobs that wait or run. */
async function countJobs(): Promise<number> {
  const queue = openQueue(stage.redisUrl, "imports.run");
  try {
    const counts = await queue.getJobCounts("waiting", "active", "delayed", "prioritized");
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  } finally {
    await queue.close();
  }
}

test("workers that starve for longer than their lease run no import twice, and leave one job for each", {
  timeout: endMs + 60_000,
}, async () => {
  const starving = await stage.start("workers/index.ts");
  const names = ["First", "Second", "Third"];
  const ids = await Promise.all(names.map(startImport));
  const pids = () => ids.flatMap(listProcesses);
  await expect.poll(() => pids().length, { timeout: endMs, interval: 20 }).toBeGreaterThan(0);
  const stopped = [existingPid(starving.child.pid), ...pids()];
  signalAll(stopped, "SIGSTOP");
  const other = await stage.start("workers/index.ts");
  let jobsMax = 0;
  const statesOf = async () => {
    jobsMax = Math.max(jobsMax, await countJobs());
    const found = await Promise.all(ids.map((id) => ask("GET", `/${id}`)));
    return found.map(({ state }) => state);
  };
  const done = ids.map(() => "done");
  await expect.poll(statesOf, { timeout: endMs, interval: 200 }).toEqual(done);
  const ended = "SELECT id, attempts, finished_at FROM import ORDER BY id";
  const before = (await stage.db.query(ended)).rows;
  signalAll(stopped, "SIGCONT");
  await expect.poll(() => pids().length, { timeout: endMs, interval: 100 }).toBe(0);
  await expect.poll(countJobs, { timeout: endMs, interval: 200 }).toBe(0);
  expect(jobsMax).toBeLessThanOrEqual(ids.length);
  expect((await stage.db.query(ended)).rows).toEqual(before);
  for (const name of names) await expectEachRowOnce(name);
  for (const worker of [starving, other]) worker.kill("SIGKILL");
});
