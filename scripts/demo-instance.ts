/** A temporary instance with the demo, for scripts that open pages. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { withClient } from "./databases.ts";
import { findFreePort, isPortFree, peekPort } from "./ports.ts";
import { Advice, endChild, explain, hasEnded } from "./processes.ts";
import { openSecrets } from "./secrets.ts";

const usualPort = 3000;
const readyTimeoutMs = 300_000;
const endTimeoutMs = 60_000;

export const owner = { email: "ada@example.com", password: "a picture of the owner" };

/** Ends the process: with 0, or with 1 after an error. */
export async function withDemo(
  folder: string,
  run: (url: string, signal: AbortSignal) => Promise<void>,
): Promise<never> {
  const dataDir = resolve(folder);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stopping.abort(new Advice("Stopped.")));
  }
  let fuxi: ChildProcess | undefined;
  try {
    const port = (await isPortFree(usualPort)) ? usualPort : await findFreePort();
    fuxi = start(port, dataDir);
    const url = `http://localhost:${port}`;
    await waitUntilReady(fuxi, url, stopping.signal);
    await run(url, stopping.signal);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    if (fuxi) await endChild(fuxi, "SIGTERM", endTimeoutMs);
    rmSync(dataDir, { recursive: true, force: true });
  }
  process.exit();
}

export async function signIn(page: Page): Promise<void> {
  await page.goto("/signin?next=/app/demo/links");
  await page.locator("input[type=email]").fill(owner.email);
  await page.locator("input[type=password]").fill(owner.password);
  await page.locator("form button[type=submit]").first().click();
  await page.waitForURL((address) => address.pathname === "/app/demo/links");
}

/** Marks the second factor as just entered, so that the back office opens without its dialogs. */
export async function enterFactor(dataDir: string): Promise<void> {
  const { databasePassword } = openSecrets(dataDir);
  const url = `postgres://fuxi:${databasePassword}@127.0.0.1:${peekPort(dataDir, "postgres")}/fuxi`;
  await withClient(url, async (client) => {
    await client.query("UPDATE app_user SET factor_since = now() WHERE operator");
    await client.query("UPDATE session SET factor_at = now()");
  });
}

/** Does not inherit the caller's settings and stores. */
function start(port: number, dataDir: string): ChildProcess {
  const foreign = /^(FUXI_|DATABASE_|REDIS_|HOST$)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return spawn(process.execPath, ["scripts/bootstrap.mjs", "start"], {
    env: {
      ...Object.fromEntries(own),
      NODE_ENV: "production",
      PORT: String(port),
      FUXI_DATA_DIR: dataDir,
      FUXI_OWNER_EMAIL: owner.email,
      FUXI_OWNER_PASSWORD: owner.password,
      FUXI_PRICES: "free=0 €; personal=9 € a month; enterprise=on request",
      FUXI_LOG_LEVEL: "warn",
    },
    stdio: "inherit",
    detached: true,
  });
}

async function waitUntilReady(
  child: ChildProcess,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await isReady(url))) {
    signal.throwIfAborted();
    if (hasEnded(child)) throw new Advice("Fuxi ended before it was ready.");
    if (Date.now() > deadline) throw new Advice("Fuxi was not ready in time.");
    await sleep(250);
  }
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
