/** `npm start` as people run it, for tests to disturb. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, vi } from "vitest";
import { endChild, hasEnded } from "../../scripts/processes.ts";
import { send } from "../../test/http-client.ts";

export interface Start {
  child: ChildProcess;
  url: string;
  output: () => string;
}

const started: Start[] = [];
const folders: string[] = [];
export const readyMs = 300_000;
export const names = ["/front.mjs", "/worker.mjs", "/web.mjs", "redis-server", "postgres -D"];
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-start-"));
  folders.push(folder);
  return folder;
}

export function start(dataDir: string, port: number, settings: Record<string, string> = {}): Start {
  const foreign = /^(FUXI_|DATABASE_|REDIS_|VITEST|NODE_ENV)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const env = {
    ...Object.fromEntries(own),
    FUXI_DATA_DIR: dataDir,
    FUXI_DEMO: "off",
    PORT: String(port),
    ...settings,
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

export async function isReady(url: string): Promise<boolean> {
  return await send(`${url}/readyz`, { timeoutMs: 5_000 }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Ready and reported: the URL alone could belong to the predecessor. */
export async function waitUntilReady(run: Start): Promise<void> {
  await vi.waitFor(
    async () => {
      if (hasEnded(run.child)) throw new Error(`it ended:\n${run.output()}`);
      expect(run.output(), run.output()).toContain("Sign in");
      expect(await isReady(run.url)).toBe(true);
    },
    { timeout: readyMs, interval: 200 },
  );
}

export async function waitForEnd(run: Start): Promise<number | null> {
  await vi.waitFor(() => expect(hasEnded(run.child), run.output()).toBe(true), {
    timeout: 300_000,
    interval: 50,
  });
  return run.child.exitCode;
}

/** The processes of `npm start` for this data folder, by name. */
export function pidsOf(run: Start): Record<string, number> {
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

afterAll(async () => {
  for (const { child } of started.splice(0)) await endChild(child, "SIGTERM", 60_000);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
