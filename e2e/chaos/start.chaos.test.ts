import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findFreePort, isPortFree } from "../../scripts/ports.ts";
import { commandOf, endChild, hasEnded, isAlive } from "../../scripts/processes.ts";
import { send } from "../../test/http-client.ts";

/** One `npm start` for a test to disturb. */
interface Start {
  child: ChildProcess;
  url: string;
  output: () => string;
}

const started: Start[] = [];
const folders: string[] = [];
const readyMs = 300_000;
const names = ["/front.mjs", "/worker.mjs", "/web.mjs", "redis-server", "postgres -D"];
/** Both kinds: processes of Fuxi and stores. */
const killed = process.env["TEST_LONG"] ? names : ["/worker.mjs", "redis-server"];

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-start-"));
  folders.push(folder);
  return folder;
}

function start(dataDir: string, port: number): Start {
  const foreign = /^(FUXI_|DATABASE_|REDIS_|VITEST|NODE_ENV)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const env = {
    ...Object.fromEntries(own),
    FUXI_DATA_DIR: dataDir,
    FUXI_DEMO: "off",
    PORT: String(port),
  };
  const child = spawn(process.execPath, ["scripts/bootstrap.mjs", "start"], {
    // The type of the environment requires it; empty counts as not given.
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const run = { child, url: `http://127.0.0.1:${port}`, output: () => text };
  started.push(run);
  return run;
}

async function isReady(url: string): Promise<boolean> {
  return await send(`${url}/readyz`, { timeoutMs: 5_000 }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Ready and reported: the URL alone could belong to the predecessor. */
async function waitUntilReady(run: Start): Promise<void> {
  await vi.waitFor(
    async () => {
      if (hasEnded(run.child)) throw new Error(`it ended:\n${run.output()}`);
      expect(run.output(), run.output()).toContain("Sign in");
      expect(await isReady(run.url)).toBe(true);
    },
    { timeout: readyMs, interval: 200 },
  );
}

async function waitForEnd(run: Start): Promise<number | null> {
  await vi.waitFor(() => expect(hasEnded(run.child), run.output()).toBe(true), {
    timeout: 300_000,
    interval: 50,
  });
  return run.child.exitCode;
}

/** The processes of `npm start` for this data folder, by name. */
function pidsOf(run: Start): Record<string, number> {
  const lines = execFileSync("ps", ["-ww", "-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const children = lines
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => Number(parent) === run.child.pid);
  const named = children.map(([pid, , ...args]) => [nameOf(args.join(" ")), Number(pid)]);
  return Object.fromEntries(named);
}

function nameOf(command: string): string {
  return names.find((name) => command.includes(name)) ?? command;
}

/** Started once, because a start takes as long as a whole test; the last of these tests ends it. */
let shared: Start;
let sharedFolder = "";

beforeAll(async () => {
  sharedFolder = makeFolder();
  shared = start(sharedFolder, await findFreePort());
  await waitUntilReady(shared);
});

afterAll(async () => {
  for (const { child } of started.splice(0)) await endChild(child, "SIGTERM", 60_000);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
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
