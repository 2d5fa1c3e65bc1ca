/** A page of the dashboard in Chromium with an empty cache, for an owner who signed in. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";

const rounds = 6;

export type Session = BrowserContextOptions["storageState"];

/** Signs in, and waits for the rows of the list of links at this path. */
export async function signIn(
  browser: Browser,
  baseURL: string,
  path: string,
  person: { email: string; password: string },
): Promise<Session> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto(`/signin?next=${path}`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`**${path}`);
  await rowsReady(page);
  const session = await context.storageState();
  await context.close();
  return session;
}

export async function openPage(
  browser: Browser,
  baseURL: string,
  storageState: Session,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    ...(storageState ? { storageState } : {}),
    viewport: { width: 1440, height: 900 },
  });
  // tsx wraps functions with it, and Chromium does not define it.
  await context.addInitScript({ content: "globalThis.__name = (one) => one;" });
  return await context.newPage();
}

/** Rows are displayed and React is ready. */
export async function rowsReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const row = document.querySelector("[data-link] input");
    return row !== null && Object.keys(row).some((key) => key.startsWith("__reactProps"));
  });
}

/** Milliseconds until the rows are ready, of a browser that has nothing of it yet. */
export async function openCold(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: "commit" });
  await rowsReady(page);
  return await page.evaluate(() => performance.now());
}

export interface ColdTimes {
  /** Until the first byte. */
  firstByte: number[];
  /** Until the last script or style was there. */
  files: number[];
  /** Until rows are displayed and React is ready. */
  ready: number[];
}

/** The page of several instances, one after the other: the milliseconds of each. */
export async function openColdInTurns(
  urls: readonly string[],
  path: string,
  person: { email: string; password: string },
): Promise<ColdTimes[]> {
  const browser = await chromium.launch({
    executablePath: await findChromium(console.log),
    args: chromiumFlags(),
  });
  const sessions: Session[] = [];
  for (const url of urls) sessions.push(await signIn(browser, url, path, person));
  const times = urls.map((): ColdTimes => ({ firstByte: [], files: [], ready: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const [at, url] of urls.entries()) {
      const page = await openPage(browser, url, sessions[at]);
      times[at]?.ready.push(Math.round(await openCold(page, path)));
      const { firstByte, files } = await page.evaluate(readTimes);
      times[at]?.firstByte.push(firstByte);
      times[at]?.files.push(files);
      await page.context().close();
    }
  }
  await browser.close();
  return times;
}

/** In the browser. */
function readTimes() {
  const [page] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const endOf = (entry: object) => ("responseEnd" in entry ? Number(entry.responseEnd) : 0);
  return {
    firstByte: Math.round(page && "responseStart" in page ? Number(page.responseStart) : 0),
    files: Math.round(
      Math.max(
        0,
        ...files.filter(({ name }) => /\.(css|js)(\?|$)/.test(name)).map((file) => endOf(file)),
      ),
    ),
  };
}
