import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { raisePriority } from "#lib/platform/processes";
import { startRedis } from "./redis.ts";

let dataDir = "";
let child: ChildProcess | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "fuxi-redis-"));
});

afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(dataDir, { recursive: true });
});

test("Redis has the priority of the process that answers visitors", async () => {
  child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { detached: true });
  await raisePriority(child.pid);
  const redis = await startRedis({ dataDir, password: "of-a-test", report: () => undefined });
  const pid = Number(readFileSync(join(dataDir, "redis", "redis.pid"), "utf8"));
  // Where the system refuses it to one, it refuses it to the other.
  expect(getPriority(pid)).toBe(getPriority(child.pid));
  await redis.stop();
});

test("Redis is waited for while it reads its data, however much longer than a start that takes", async () => {
  const options = { dataDir, password: "of-a-test", report: () => undefined };
  const first = await startRedis(options);
  const client = new Redis(first.url);
  await Promise.all(Array.from({ length: 40_000 }, (_, at) => client.set(`key ${at}`, "loaded")));
  await client.quit();
  await first.stop();
  // A quarter of a millisecond for each key, ten seconds in all; it answers that it is loading after every thousand.
  const settings = ["key-load-delay 250"];
  const second = await startRedis({ ...options, settings, timeoutMs: 5_000 });
  const again = new Redis(second.url);
  expect(await again.get("key 39999")).toBe("loaded");
  await again.quit();
  await second.stop();
});
