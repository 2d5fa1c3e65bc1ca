import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataFolder, peekRunning } from "./lock.ts";
import { endChild, isAlive } from "./processes.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fuxi-lock-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A process that looks like one of Fuxi's and runs for a while. */
function pretend(entry: string, lifeMs: number) {
  const script = join(folder, entry);
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, `setTimeout(() => {}, ${lifeMs})`);
  return spawn(process.execPath, [script], { stdio: "ignore" });
}

function leaveLock(pid: number | undefined, children: (number | undefined)[] = []): void {
  const holder = { pid, address: "http://localhost:3999", children };
  writeFileSync(join(folder, "start.lock"), JSON.stringify(holder));
}

test("a folder in use is refused with the address of the process that uses it", async () => {
  const other = pretend("bootstrap.mjs", 60_000);
  leaveLock(other.pid);
  expect(peekRunning(folder)).toBe("http://localhost:3999");
  await expect(lockDataFolder(folder, "x")).rejects.toThrow("already runs on");
  await endChild(other, "SIGKILL");
});

test("an unrelated process with the pid of a dead supervisor does not count", async () => {
  const stranger = pretend("stranger.mjs", 60_000);
  leaveLock(stranger.pid);
  expect(peekRunning(folder)).toBeUndefined();
  const lock = await lockDataFolder(folder, "x");
  lock.release();
  expect(isAlive(stranger.pid ?? 0)).toBe(true);
  await endChild(stranger, "SIGKILL");
});

test.each([
  ["fuxi-processes/front.mjs", "npm start"],
  ["server.ts", "npm run dev"],
])("the successor of a killed supervisor waits for %s of %s", async (file) => {
  const orphan = pretend(file, 700);
  leaveLock(2 ** 22 + 1, [orphan.pid]);
  const lock = await lockDataFolder(folder, "x");
  expect(isAlive(orphan.pid ?? 0)).toBe(false);
  lock.release();
});

test("a truncated lock after a power loss does not block", async () => {
  writeFileSync(join(folder, "start.lock"), '{"pid":1');
  const lock = await lockDataFolder(folder, "x");
  lock.release();
  expect(peekRunning(folder)).toBeUndefined();
});
