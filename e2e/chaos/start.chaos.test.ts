import { beforeAll, expect, test, vi } from "vitest";
import { findFreePort, isPortFree } from "../../scripts/ports.ts";
import { commandOf, isAlive } from "../../scripts/processes.ts";
import {
  isReady,
  makeFolder,
  names,
  pidsOf,
  readyMs,
  type Start,
  start,
  waitForEnd,
  waitUntilReady,
} from "./npm-start.ts";

/** Both kinds: processes of Fuxi and stores. */
const killed = process.env["TEST_LONG"] ? names : ["/worker.mjs", "redis-server"];

/** Started once, because a start takes as long as a whole test; the last of these tests ends it. */
let shared: Start;
let sharedFolder = "";

beforeAll(async () => {
  sharedFolder = makeFolder();
  shared = start(sharedFolder, await findFreePort());
  await waitUntilReady(shared);
});

test("a second start on the same data folder names the first and does not affect it", async () => {
  const second = start(sharedFolder, await findFreePort());
  expect(await waitForEnd(second)).toBe(1);
  expect(second.output()).toContain(`Fuxi already runs on ${sharedFolder}`);
  expect(await isReady(shared.url)).toBe(true);
});

test("a start on a used port names a free one", async () => {
  const { port } = new URL(shared.url);
  const second = start(makeFolder(), Number(port));
  expect(await waitForEnd(second)).toBe(1);
  const [, free] = second.output().match(/PORT=(\d+) npm start/) ?? [];
  expect(second.output()).toContain(`Port ${port} on 127.0.0.1 is in use`);
  expect(await isPortFree(Number(free))).toBe(true);
});

test("each killed child comes back", async () => {
  for (const name of killed) {
    const before = pidsOf(shared)[name] ?? 0;
    expect(before, name).toBeGreaterThan(0);
    process.kill(before, "SIGKILL");
    await vi.waitFor(
      async () => {
        expect(pidsOf(shared)[name] ?? before, shared.output()).not.toBe(before);
        expect(await isReady(shared.url), shared.output()).toBe(true);
      },
      { timeout: readyMs, interval: 200 },
    );
  }
});

test("after kill -9 of npm start the next one takes over the same data, and Ctrl-C ends all of it with exit code 0", async () => {
  const orphans = Object.values(pidsOf(shared));
  shared.child.kill("SIGKILL");
  await waitForEnd(shared);

  const second = start(sharedFolder, Number(new URL(shared.url).port));
  await waitUntilReady(second);
  expect(orphans.filter(isAlive).map(commandOf)).toEqual([]);

  // No compiler: everything was compiled when it was built.
  const running = pidsOf(second);
  expect(Object.keys(running).sort()).toEqual([...names].sort());
  const pids = Object.values(running);
  second.child.kill("SIGINT");
  second.child.kill("SIGINT");
  expect(await waitForEnd(second), second.output()).toBe(0);
  expect(pids.filter(isAlive).map(commandOf)).toEqual([]);
});
