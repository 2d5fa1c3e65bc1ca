/**
 * `npm run screenshots`: the pictures of the README, taken from a Fuxi that is started for them with its demo and
 * removed afterwards.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Locator, type Page } from "@playwright/test";
import { chromiumFlags, findChromium } from "./chromium.ts";
import { findFreePort, isPortFree } from "./ports.ts";
import { Advice, endChild, explain, hasEnded } from "./processes.ts";

const folder = join("docs", "pictures");
const size = { width: 1440, height: 900 };
const bytesMax = 200_000;
/** The port that readers will see in their own address bar. */
const usualPort = 3000;
const readyTimeoutMs = 300_000;
const dataDir = resolve(".fuxi-screenshots");
const owner = { email: "ada@example.com", password: "a picture of the owner" };

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort(new Advice("Stopped.")));
}
let fuxi: ChildProcess | undefined;
try {
  const port = (await isPortFree(usualPort)) ? usualPort : await findFreePort();
  const executablePath = await findChromium(console.log);
  fuxi = start(port);
  const url = `http://localhost:${port}`;
  await waitUntilReady(fuxi, url);
  await takePictures(url, executablePath);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
} finally {
  if (fuxi) await endChild(fuxi, "SIGTERM", 60_000);
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();

/** Settings and stores of whoever takes the pictures do not reach it. */
function start(port: number): ChildProcess {
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
      FUXI_LOG_LEVEL: "warn",
    },
    stdio: "inherit",
    // A group of its own, so that Ctrl-C does not reach it before its turn.
    detached: true,
  });
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await isReady(url))) {
    stopping.signal.throwIfAborted();
    if (hasEnded(child)) throw new Advice("Fuxi ended before a picture was taken.");
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

async function takePictures(url: string, executablePath: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    const context = await browser.newContext({
      baseURL: url,
      viewport: size,
      colorScheme: "light",
      reducedMotion: "reduce",
      locale: "en-US",
    });
    const page = await context.newPage();
    await page.goto("/signin?next=/app/demo/links");
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/app/demo/links");
    const links = page.getByRole("list", { name: "Links" });
    await links.waitFor();
    await take(page, "links");
    await links
      .getByRole("listitem")
      .nth(await busiest(page))
      .getByRole("link")
      .first()
      .click();
    await chartOf(page).waitFor();
    await take(page, "link");
    await page.goto("/app/demo/analytics");
    await chartOf(page).waitFor();
    await take(page, "analytics");
  } finally {
    await browser.close();
  }
}

/** Its code is loaded when it is first shown. */
function chartOf(page: Page): Locator {
  return page
    .getByRole("img", { name: /^Chart of/ })
    .locator("svg")
    .first();
}

/** The place of the link with the most clicks among those of the list. */
async function busiest(page: Page): Promise<number> {
  const rows = await page
    .getByRole("list", { name: "Links" })
    .getByRole("listitem")
    .allInnerTexts();
  const clicks = rows.map((text) =>
    Number(/([\d,]+)\s+clicks?/.exec(text)?.[1]?.replaceAll(",", "")),
  );
  return clicks.indexOf(Math.max(...clicks.filter((count) => !Number.isNaN(count))));
}

async function take(page: Page, name: string): Promise<void> {
  stopping.signal.throwIfAborted();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  const { size: bytes } = statSync(path);
  if (bytes > bytesMax) throw new Advice(`${path} has ${bytes} bytes, more than ${bytesMax}.`);
  console.log(`${path}: ${bytes} bytes`);
}
