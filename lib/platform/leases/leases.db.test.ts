import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { config } from "#lib/platform/config";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { listQueues, startWorkers, stopWorkers } from "#lib/platform/queue";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { AttemptsUsed, LeasedWork, type WorkDefinition } from "./index.ts";

openTestStores();

interface Piece {
  id: string;
  state: string;
  attempts: number;
}

const job = "pieces.run";
const silentSeconds = 1;
const attemptsMax = 3;
/** What the next attempts do. */
let onWork: (row: Piece) => Promise<void>;
let settled: unknown[];

const definition: WorkDefinition<Piece> = {
  job,
  requeue: { job: "pieces.requeue", everyMs: 200 },
  table: "piece",
  columns: "id, state, attempts",
  states: { waiting: "running", undoing: "undoing" },
  only: "NOT held",
  silentSeconds,
  attemptsMax,
  work: (row) => onWork(row),
  settle: async (row, error) => {
    settled.push(error);
    if (!(error instanceof AttemptsUsed)) throw error;
    await pieces.commit(row, (tx) => end(tx, row, "failed"));
  },
};
const pieces = new LeasedWork(definition);

async function end(tx: Connection, { id }: Piece, state: string): Promise<void> {
  await query(sql`UPDATE piece SET state = ${state}, ended = ended + 1 WHERE id = ${id}`, tx);
}

const finish = (row: Piece) => pieces.commit(row, (tx) => end(tx, row, "done"));

beforeAll(async () => {
  await query(sql`
    CREATE TABLE piece (
      id text PRIMARY KEY, state text DEFAULT 'waiting', attempts int DEFAULT 0,
      seen_at timestamptz, created_at timestamptz DEFAULT now(), held bool DEFAULT false,
      ended int DEFAULT 0
    )`);
});

beforeEach(async () => {
  await query(sql`TRUNCATE piece`);
  await redis().flushdb();
  await redis("queue").sadd(redisKeys.queueNames, job);
  onWork = finish;
  settled = [];
});

afterEach(() => {
  vi.useRealTimers();
});

async function add(id: string, state = "waiting", silence = 0): Promise<void> {
  await query(sql`
    INSERT INTO piece (id, state, seen_at)
    VALUES (${id}, ${state}, now() - ${silence} * interval '1 second')`);
}

async function find(id: string) {
  const [row] = await query<Piece & { ended: number; seen_at: Date }>(sql`
    SELECT id, state, attempts, ended, seen_at FROM piece WHERE id = ${id}`);
  return row;
}

async function countJobs() {
  const [counts] = await listQueues(10_000);
  return counts;
}

/** Its job, which waits, becomes one that ended. */
async function endJob(id: string, state: "completed" | "failed"): Promise<void> {
  const key = `${redisKeys.queuePrefix}:${job}`;
  await redis("queue").lrem(`${key}:wait`, 0, id);
  await redis("queue").zadd(`${key}:${state}`, Date.now(), id);
}

test("work has one job, however often it is requeued before a worker comes", async () => {
  await Promise.all([add("a"), add("b", "running", 60), add("c", "undoing", 60)]);
  await Promise.all([pieces.enqueue("a"), pieces.enqueue("a")]);
  for (let times = 0; times < 30; times++) await pieces.requeue();
  expect(await countJobs()).toMatchObject({ waiting: 3, delayed: 0, failed: 0 });
  await startWorkers([pieces.jobs[0]]);
  // Also while it runs.
  onWork = async (row) => {
    await Promise.all([pieces.requeue(), pieces.enqueue(row.id)]);
    await finish(row);
  };
  await expect.poll(async () => (await countJobs())?.waiting).toBe(0);
  for (const id of ["a", "b", "c"]) {
    await expect.poll(() => find(id)).toMatchObject({ state: "done", attempts: 1, ended: 1 });
  }
  await stopWorkers();
});

test("work whose job failed or completed before gets a job again", async () => {
  const ids = { a: "failed", b: "completed" } as const;
  for (const [id, state] of Object.entries(ids)) {
    await add(id);
    await pieces.enqueue(id);
    await endJob(id, state);
  }
  expect(await countJobs()).toMatchObject({ waiting: 0, failed: 1 });
  await Promise.all([pieces.requeue(), pieces.requeue()]);
  expect(await countJobs()).toMatchObject({ waiting: 2, failed: 0 });
  await startWorkers([pieces.jobs[0]]);
  for (const id of Object.keys(ids)) {
    await expect.poll(() => find(id)).toMatchObject({ state: "done", ended: 1 });
  }
  await stopWorkers();
});

test("work that waits, or whose worker is silent, is done, and no other", async () => {
  for (const [state, silence, isDone] of [
    ["waiting", 0, true],
    ["running", 0, false],
    ["running", 2, true],
    ["undoing", 0, false],
    ["undoing", 2, true],
    ["paused", 2, false],
    ["done", 2, false],
  ] as const) {
    const id = `${state}${silence}`;
    await add(id, state, silence);
    await pieces.requeue();
    expect((await countJobs())?.waiting, id).toBe(isDone ? 1 : 0);
    // A late job, or one from an older release.
    await pieces.jobs[0].handle({ id });
    expect((await find(id))?.ended, id).toBe(isDone ? 1 : 0);
    await redis().flushdb();
    await redis("queue").sadd(redisKeys.queueNames, job);
  }
  await add("held");
  await query(sql`UPDATE piece SET held = true WHERE id = 'held'`);
  await pieces.jobs[0].handle({ id: "held" });
  expect(await find("held")).toMatchObject({ state: "waiting", attempts: 0 });
});

test("of several workers, and one that was thought dead, only the last one writes", async () => {
  await add("a");
  const open: (() => void)[] = [];
  onWork = async (row) => {
    await new Promise<void>((resolve) => open.push(resolve));
    await finish(row);
  };
  const first = [pieces.run("a"), pieces.run("a")];
  await expect.poll(() => open.length).toBe(1);
  await query(sql`UPDATE piece SET seen_at = now() - interval '1 minute'`);
  const second = pieces.run("a");
  await expect.poll(() => open.length).toBe(2);
  open[0]?.();
  await Promise.all(first);
  expect(await find("a")).toMatchObject({ state: "running", attempts: 2, ended: 0 });
  open[1]?.();
  await second;
  expect(await find("a")).toMatchObject({ state: "done", ended: 1 });
  expect(settled).toEqual([]);
});

test("a worker writes nothing once a person has ended the work", async () => {
  await add("a");
  onWork = async (row) => {
    await transaction((tx) => end(tx, row, "cancelled"));
    await finish(row);
  };
  await pieces.run("a");
  expect(await find("a")).toMatchObject({ state: "cancelled", ended: 1 });
});

test("a worker reports that it is alive, so that no other takes its work", async () => {
  await add("a");
  onWork = async (row) => {
    const taken = (await find("a"))?.seen_at.getTime() ?? 0;
    const seen = async () => (await find("a"))?.seen_at.getTime();
    await expect.poll(seen).toBeGreaterThan(taken + silentSeconds * 1_000);
    await pieces.run("a");
    await finish(row);
  };
  await pieces.run("a");
  expect(await find("a")).toMatchObject({ state: "done", attempts: 1 });
});

test("work that throws can be taken again at once, and fails after the last attempt", async () => {
  onWork = () => Promise.reject(new Error("broken"));
  await add("a");
  await add("b", "undoing", 60);
  for (const [id, state] of [
    ["a", "waiting"],
    ["b", "undoing"],
  ] as const) {
    for (let attempts = 1; attempts <= attemptsMax; attempts++) {
      await expect(pieces.run(id)).rejects.toThrow("broken");
      expect(await find(id)).toMatchObject({ state, attempts });
    }
    await pieces.run(id);
    expect(await find(id)).toMatchObject({ state: "failed", ended: 1 });
    expect(settled.at(-1)).toBeInstanceOf(AttemptsUsed);
  }
});

test("no process starts for finished work, and one that hangs is killed", async () => {
  const [program = "", started = ""] = ["hanging.mjs", "started"].map((name) =>
    join(config().FUXI_DATA_DIR, name),
  );
  const text = `import { writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(started)}, "");
    for (;;);`;
  writeFileSync(program, text);
  const [hanging] = new LeasedWork({ ...definition, program: pathToFileURL(program) }).jobs;
  await add("done", "done", 60);
  await hanging.handle({ id: "done" });
  expect(existsSync(started)).toBe(false);
  await add("a", "running", 60);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const ended = expect(hanging.handle({ id: "a" })).rejects.toThrow("abort");
  await expect.poll(() => existsSync(started)).toBe(true);
  vi.advanceTimersByTime(60_000);
  await ended;
});
