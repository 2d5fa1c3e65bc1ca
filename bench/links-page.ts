/**
 * The list of links in Chromium against the production build: one workspace with a million links and five million
 * clicks of the last 60 days.
 *
 * Cold is a browser without a cache: until rows are displayed and React is ready. The others are navigations within the
 * page, as by its filters: from the click until its rows are displayed. Interactions are measured until the next paint. A step
 * above its bound ends with 1.
 */
import { writeFileSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { hashPassword } from "#lib/platform/passwords";
import { closePostgres } from "#lib/platform/postgres";
import { closeRedis } from "#lib/platform/redis";
import { buildAll } from "../scripts/build.ts";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";
import { compiledProcess } from "../scripts/compile.ts";
import { partsWith } from "../scripts/launch.ts";
import { Supervisor } from "../scripts/supervisor.ts";
import { describeTestEnvironment } from "../test/instance.ts";
import { makeTestScope } from "../test/scope.ts";
import { openCold, openPage, rowsReady, type Session, signIn } from "./cold-page.ts";
import { measureInteractions } from "./interactions.ts";
import { putLinksOfPage } from "./links-data.ts";
import { machine, median, openStage } from "./stage.ts";

/** Another number recreates the data. */
const shape = 1;
const weekMs = 7 * 86_400_000;
const coldRounds = 5;
const stepRounds = 5;
const coldMaxMs = 1_500;
const stepMaxMs = 300;
const paintMaxMs = 100;
const scriptsMaxKb = 250;
const person = { email: "bench@example.com", password: "a bench of the links page" };
const path = "/app/bench-space/links";

const steps: Record<string, Record<string, string>> = {
  "oldest first": { order: "oldest" },
  "most clicks": { order: "clicks" },
  "last clicked": { order: "lastClicked" },
  "with archived": { archived: "true" },
  "domain of nearly all": { domain: "many.example" },
  "tag of 200,000 links": { tag: "tag_many" },
  "tag of 200 links": { tag: "tag_few" },
  "tag of 200 links, most clicks": { tag: "tag_few", order: "clicks" },
  "folder of 10,000 links": { folder: "fold_00000000000000000000000001" },
  "folder of 10,000 links, most clicks": {
    folder: "fold_00000000000000000000000001",
    order: "clicks",
  },
  "with clicks": { clicked: "true" },
  "without clicks": { clicked: "false" },
  "with clicks, last clicked": { clicked: "true", order: "lastClicked" },
  "search, all match": { search: "products" },
  "search, all match, most clicks": { search: "products", order: "clicks" },
  "search, 1,000 match": { search: "products/421?" },
};

const stage = await openStage();
const week = Math.floor(Date.now() / weekMs);
const databaseUrl = await stage.openKept("links_page", `${shape}_${week}`, async () => {
  const scope = await makeTestScope("bench");
  await putLinksOfPage(scope, await hashPassword(person.password), stage.databaseUrl);
});
const stores = { databaseUrl, redisUrl: stage.redisUrl };
const env = await describeTestEnvironment(stage.dataDir, stores, { FUXI_LOG_LEVEL: "warn" });
const baseUrl = String(env["FUXI_URL"]);
await buildAll({ env, report: console.log, signal: new AbortController().signal });
const supervisor = new Supervisor({
  parts: partsWith(compiledProcess).filter(({ name }) => name !== "worker"),
  env,
  output: 2,
  report: () => undefined,
  onChildren: () => undefined,
  onGiveUp: () => process.exit(1),
});
await supervisor.start();
const browser = await chromium.launch({
  executablePath: await findChromium(console.log),
  args: chromiumFlags(),
});
const slowSteps: string[] = [];
try {
  const session = await signIn(browser, baseUrl, path, person);
  const cold = await measureCold(session);
  const warm = await measureSteps(session);
  const paints = await measurePaints(session);
  const data = { machine: machine(), links: 1_000_000, clicks: 5_000_000 };
  const result = { ...data, ...cold, steps: warm, paints };
  if (process.argv.includes("--keep")) {
    writeFileSync("bench/links-page.json", `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  await browser.close();
  await supervisor.stop();
  await closeRedis();
  await closePostgres();
  await stage.close();
}
for (const line of slowSteps) console.error(line);
process.exit(slowSteps.length > 0 ? 1 : 0);

async function measureCold(session: Session) {
  const times: number[] = [];
  let scriptsKb = 0;
  for (let round = -1; round < coldRounds; round++) {
    const page = await openPage(browser, baseUrl, session);
    const ms = await openCold(page, path);
    scriptsKb = await page.evaluate(() => {
      const entries = performance.getEntriesByType("resource");
      const bytes = entries.map((one) =>
        /\.js(\?|$)/.test(one.name) && "encodedBodySize" in one ? Number(one.encodedBodySize) : 0,
      );
      return bytes.reduce((sum, one) => sum + one, 0) / 1_000;
    });
    // The first round also has cold caches in the processes.
    if (round >= 0) times.push(ms);
    await page.context().close();
  }
  const coldMs = note("cold", times, coldMaxMs);
  console.log(`${scriptsKb.toFixed(0)} KB of scripts`);
  if (scriptsKb > scriptsMaxKb) slowSteps.push(`More than ${scriptsMaxKb} KB of scripts`);
  return { cold: coldMs, scriptsKb: Math.round(scriptsKb) };
}

interface StepTimes {
  p50Ms: number;
  maxMs: number;
}

function note(name: string, times: number[], maxMs: number): StepTimes {
  const figures = { p50Ms: Math.round(median(times)), maxMs: Math.round(Math.max(...times)) };
  console.log(`${String(figures.p50Ms).padStart(6)} ms, at most ${figures.maxMs}  ${name}`);
  if (figures.p50Ms > maxMs) slowSteps.push(`${name}: ${figures.p50Ms} ms are more than ${maxMs}`);
  return figures;
}

async function measureSteps(session: Session): Promise<Record<string, StepTimes>> {
  const page = await openPage(browser, baseUrl, session);
  await page.goto(path);
  await rowsReady(page);
  const figures: Record<string, StepTimes> = {};
  for (const [name, input] of Object.entries(steps)) {
    const query = new URLSearchParams(input).toString();
    const times: number[] = [];
    for (let round = -1; round < stepRounds; round++) {
      await go(page, path, "");
      const ms = await go(page, `${path}?${query}`, query);
      if (round >= 0) times.push(ms);
    }
    figures[name] = note(name, times, stepMaxMs);
  }
  figures["next page"] = await measurePages(page, "");
  figures["next page, most clicks"] = await measurePages(page, "order=clicks");
  return figures;
}

/** From an input to the next paint. */
async function measurePaints(session: Session): Promise<Record<string, StepTimes>> {
  const page = await openPage(browser, baseUrl, session);
  await page.goto(path);
  await rowsReady(page);
  const measured = await measureInteractions(page);
  await page.context().close();
  return Object.fromEntries(
    [...measured].map(([name, times]) => [
      name,
      note(`until the next paint: ${name}`, times, paintMaxMs),
    ]),
  );
}

/** From page to page, by its button. */
async function measurePages(page: Page, query: string): Promise<StepTimes> {
  await go(page, query ? `${path}?${query}` : path, query);
  const times: number[] = [];
  for (let round = -1; round < stepRounds; round++) {
    const href = await page.getByRole("link", { name: "Next" }).getAttribute("href");
    const ms = await go(page, href ?? "", "after=", true);
    if (round >= 0) times.push(ms);
  }
  return note(query ? `next page, ${query}` : "next page", times, stepMaxMs);
}

/** Navigates within the page; returns the milliseconds until the pager links are those of the new rows. */
async function go(page: Page, href: string, query: string, rowsDiffer = false): Promise<number> {
  return await page.evaluate(
    async ({ href, query, rowsDiffer }) => {
      const first = () => document.querySelector("[data-link]")?.getAttribute("data-link");
      const next = () =>
        document.querySelector("main nav > a:last-child")?.getAttribute("href") ?? "";
      const before = first();
      const fits = () => {
        const others = new URLSearchParams(next().split("?")[1]);
        for (const name of ["after", "row"]) others.delete(name);
        const there =
          query === "after=" || others.toString() === new URLSearchParams(query).toString();
        return there && location.href.endsWith(href) && (!rowsDiffer || first() !== before);
      };
      const started = performance.now();
      const { router } = Reflect.get(window, "next");
      router.push(href, { scroll: false });
      while (!fits()) {
        await new Promise((resolve) => setTimeout(resolve, 4));
        if (performance.now() - started > 30_000) throw new Error(`Nothing came of ${href}`);
      }
      return performance.now() - started;
    },
    { href, query, rowsDiffer },
  );
}
