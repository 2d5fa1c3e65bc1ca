/**
 * Lighthouse scores with the demo: the signed-in list of links and analytics and the landing page on a simulated
 * desktop; every page that people read without an account on a phone (simulated 4G, a processor four times slower), with
 * its size, and the form of a link also with the time until it is painted; the list of links and sign-in with the size of
 * their HTML. Of three runs (one with `--once`) the median counts; a score below its bound, or a page above its size or
 * time, ends with 1.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import lighthouse, { desktopConfig, type Flags } from "lighthouse";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";
import { withDemo } from "../scripts/demo-instance.ts";
import { findFreePort } from "../scripts/ports.ts";
import { Advice } from "../scripts/processes.ts";
import { signInAndShare } from "./lighthouse-pages.ts";
import { machine, median } from "./stage.ts";

const runs = process.argv.includes("--once") ? 1 : 3;
const triesMax = 5;
const shownCharsMax = 600;
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof categories)[number];
type Scores = Record<Category, number>;
const readBounds: Scores = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
/** Search engines do not see these pages. */
const signedInBounds: Scores = { ...readBounds, performance: 85, seo: 0 };
const readKilobytesMax = 120;
/** Visitors wait for a form before they arrive. */
const formMax = { kilobytesMax: 10, paintedMsMax: 1_000 };
/** Compressed HTML. */
const htmlKilobytesMax: Record<string, number> = { "/app/demo/links": 19, "/signin": 8 };

interface MeasuredPage {
  name: string;
  path: string;
  phone: boolean;
  bounds: Scores;
  kilobytesMax?: number;
  paintedMsMax?: number;
}

const desktopPages: MeasuredPage[] = [
  { name: "links, signed in", path: "/app/demo/links", phone: false, bounds: signedInBounds },
  {
    name: "analytics, signed in",
    path: "/app/demo/analytics",
    phone: false,
    bounds: signedInBounds,
  },
  { name: "landing page", path: "/", phone: false, bounds: readBounds },
];
const guides = readdirSync("docs/guides").filter((name) => name.endsWith(".en.md"));
const readPaths = [
  "/",
  "/signin",
  "/signup",
  "/pricing",
  "/legal/privacy",
  "/legal/terms",
  "/docs",
  ...guides.map((name) => `/docs/${name.slice(0, -".en.md".length)}`),
  "/docs/api",
  "/docs/api/links",
  "/docs/api/errors",
];

/** Pages that are indexed, except those that only people with their address open. */
function pageOf(path: string, name = path): MeasuredPage {
  const isIndexed = !["/signin", "/signup"].includes(path) && name === path;
  const bounds = isIndexed ? readBounds : { ...readBounds, seo: 0 };
  const size = path === "/" ? {} : { kilobytesMax: readKilobytesMax };
  return { name: `${name}, on a phone`, path, phone: true, bounds, ...size };
}

interface PageScores {
  scores: Scores;
  /** Everything that is loaded, as it is transferred. */
  kilobytes: number;
  htmlKilobytes: number;
  /** When the largest element of the page was painted. */
  paintedMs: number;
  /** How long the page did not respond to input. */
  blockedMs: number;
  /** How far visible elements moved. */
  shift: number;
}

const executablePath = await findChromium(console.log);
await withDemo(".fuxi-lighthouse", async (url) => {
  const measured: [MeasuredPage, PageScores][] = [];
  let paths = { shared: "", form: "" };
  await withBrowser(async (context, port) => {
    paths = await signInAndShare(context, url);
    for (const page of chosen(desktopPages)) measured.push(await measure(page, url, context, port));
  });
  const read = [
    ...readPaths.map((path) => pageOf(path)),
    pageOf(paths.shared, "shared analytics"),
    { ...pageOf(paths.form, "form of a link"), ...formMax },
  ];
  await withBrowser(async (context, port) => {
    for (const page of chosen(read)) measured.push(await measure(page, url, context, port));
  });
  report(measured);
});

/** Pages whose name contains an argument, or all without one. */
function chosen(pages: MeasuredPage[]): MeasuredPage[] {
  const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  return pages.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
}

async function withBrowser(
  run: (context: BrowserContext, port: number) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-lighthouse-"));
  try {
    const port = await findFreePort();
    const context = await chromium.launchPersistentContext(folder, {
      executablePath,
      args: [...chromiumFlags(), `--remote-debugging-port=${port}`],
      locale: "en-US",
    });
    await run(context, port);
    await context.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  page: MeasuredPage,
  url: string,
  context: BrowserContext,
  port: number,
): Promise<[MeasuredPage, PageScores]> {
  const address = `${url}${page.path}`;
  const htmlKilobytes = await measureHtml(context, address);
  const figures = { ...(await middle(address, port, page)), htmlKilobytes };
  console.log(page.name, JSON.stringify(figures));
  return [page, figures];
}

/** The body of the page, as it is transferred. */
async function measureHtml(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  const response = await page.goto(address);
  const { responseBodySize = Number.NaN } = (await response?.request().sizes()) ?? {};
  await page.close();
  return Math.round(responseBodySize / 100) / 10;
}

type Figures = Omit<PageScores, "htmlKilobytes">;

async function middle(url: string, port: number, page: MeasuredPage): Promise<Figures> {
  const all: Figures[] = [];
  for (let tries = 0; all.length < runs; tries++) {
    try {
      all.push(await runLighthouse(url, port, page));
    } catch (error) {
      // A machine that pauses for a while distorts the result.
      if (tries === triesMax) throw error;
      console.log(`  once more: ${String(error)}`);
    }
  }
  const of = (read: (figures: Figures) => number) => median(all.map(read));
  return {
    scores: scoresOf((category) => of(({ scores }) => scores[category])),
    kilobytes: of(({ kilobytes }) => kilobytes),
    paintedMs: Math.round(of(({ paintedMs }) => paintedMs)),
    blockedMs: Math.round(of(({ blockedMs }) => blockedMs)),
    shift: of(({ shift }) => shift),
  };
}

async function runLighthouse(
  url: string,
  port: number,
  { phone, bounds }: MeasuredPage,
): Promise<Figures> {
  const isSignedIn = bounds === signedInBounds;
  const flags: Flags = {
    port,
    onlyCategories: [...categories],
    // The session is a cookie; a page that is read without one starts with an empty cache.
    disableStorageReset: isSignedIn,
    logLevel: "error",
  };
  const result = await lighthouse(url, flags, phone ? undefined : desktopConfig);
  if (!result) throw new Advice(`Lighthouse says nothing of ${url}.`);
  const { audits, categories: found, runtimeError } = result.lhr;
  if (runtimeError) throw new Advice(`${url}: ${runtimeError.message}`);
  const score = (name: Category) => Math.round((found[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  for (const { id, score: one, title, details, scoreDisplayMode } of Object.values(audits)) {
    const weighed = [found.accessibility, found["best-practices"], found["seo"]];
    const refs = weighed.flatMap((category) => category?.auditRefs ?? []);
    const counts = refs.some((ref) => ref.id === id && ref.weight > 0);
    if (counts && one === 0 && scoreDisplayMode === "binary") {
      console.log(`  ${id}: ${title} ${JSON.stringify(details ?? {}).slice(0, shownCharsMax)}`);
    }
  }
  return {
    scores: scoresOf(score),
    kilobytes: Math.round(value("total-byte-weight") / 1_000),
    paintedMs: value("largest-contentful-paint"),
    blockedMs: value("total-blocking-time"),
    shift: value("cumulative-layout-shift"),
  };
}

function scoresOf(read: (category: Category) => number): Scores {
  return {
    performance: read("performance"),
    accessibility: read("accessibility"),
    "best-practices": read("best-practices"),
    seo: read("seo"),
  };
}

function report(measured: readonly [MeasuredPage, PageScores][]): void {
  if (process.argv.includes("--keep")) {
    const pages = Object.fromEntries(measured.map(([{ name }, figures]) => [name, figures]));
    const result = {
      machine: machine(),
      runs,
      readBounds,
      signedInBounds,
      readKilobytesMax,
      htmlKilobytesMax,
      formMax,
      pages,
    };
    writeFileSync("bench/lighthouse.json", `${JSON.stringify(result, null, 2)}\n`);
  }
  const low = measured.flatMap(([{ name, path, bounds, kilobytesMax, paintedMsMax }, figures]) => [
    ...categories
      .filter((category) => figures.scores[category] < bounds[category])
      .map((category) => `${name}: ${category} ${figures.scores[category]} < ${bounds[category]}`),
    ...tooMuch(name, "KB", figures.kilobytes, kilobytesMax),
    ...tooMuch(`${name}, HTML`, "KB", figures.htmlKilobytes, htmlKilobytesMax[path]),
    ...tooMuch(`${name}, painted`, "ms", figures.paintedMs, paintedMsMax),
  ]);
  if (low.length > 0) throw new Advice(low.join("\n"));
}

function tooMuch(
  name: string,
  unit: "KB" | "ms",
  measured: number,
  max = Number.POSITIVE_INFINITY,
): string[] {
  return measured > max ? [`${name}: ${measured} ${unit} > ${max} ${unit}`] : [];
}
