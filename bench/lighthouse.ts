/**
 * Lighthouse scores of three pages with the demo: the signed-in list of links and analytics, and the home page. On a
 * simulated desktop, and the home page also on a phone (simulated 4G, a processor four times slower). Of three runs the
 * median counts; a score below its bound ends with 1.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import lighthouse, { desktopConfig, type Flags } from "lighthouse";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";
import { owner, withDemo } from "../scripts/demo-instance.ts";
import { findFreePort } from "../scripts/ports.ts";
import { Advice } from "../scripts/processes.ts";
import { machine, median } from "./stage.ts";

const runs = 3;
const triesMax = 5;
const shownCharsMax = 600;
const categories = ["performance", "accessibility", "best-practices"] as const;
type Category = (typeof categories)[number];
const bounds: Record<Category, number> = {
  performance: 85,
  accessibility: 100,
  "best-practices": 95,
};

const pages = [
  { name: "links, signed in", path: "/app/demo/links", phone: false },
  { name: "analytics, signed in", path: "/app/demo/analytics", phone: false },
  { name: "first page", path: "/", phone: false },
  { name: "first page, on a phone", path: "/", phone: true },
];

interface PageScores {
  scores: Record<Category, number>;
  /** When the largest element of the page was painted. */
  paintedMs: number;
  /** How long the page did not respond to input. */
  blockedMs: number;
  /** How far visible elements moved. */
  shift: number;
}

const executablePath = await findChromium(console.log);
await withDemo(".fuxi-lighthouse", async (url) => {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-lighthouse-"));
  try {
    const port = await findFreePort();
    const context = await chromium.launchPersistentContext(folder, {
      executablePath,
      args: [...chromiumFlags(), `--remote-debugging-port=${port}`],
      locale: "en-US",
    });
    const page = await context.newPage();
    await page.goto(`${url}/signin?next=/app/demo/links`);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL((address) => address.pathname === "/app/demo/links");
    await page.close();
    const measured: Record<string, PageScores> = {};
    for (const { name, path, phone } of pages) {
      measured[name] = await middle(`${url}${path}`, port, phone);
      console.log(name, JSON.stringify(measured[name]));
    }
    await context.close();
    report(measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function middle(url: string, port: number, phone: boolean): Promise<PageScores> {
  const all: PageScores[] = [];
  for (let tries = 0; all.length < runs; tries++) {
    try {
      all.push(await runLighthouse(url, port, phone));
    } catch (error) {
      // A machine that pauses for a while distorts the result.
      if (tries === triesMax) throw error;
      console.log(`  once more: ${String(error)}`);
    }
  }
  const of = (read: (figures: PageScores) => number) => median(all.map(read));
  return {
    scores: {
      performance: of(({ scores }) => scores.performance),
      accessibility: of(({ scores }) => scores.accessibility),
      "best-practices": of(({ scores }) => scores["best-practices"]),
    },
    paintedMs: Math.round(of(({ paintedMs }) => paintedMs)),
    blockedMs: Math.round(of(({ blockedMs }) => blockedMs)),
    shift: of(({ shift }) => shift),
  };
}

async function runLighthouse(url: string, port: number, phone: boolean): Promise<PageScores> {
  const flags: Flags = {
    port,
    onlyCategories: [...categories],
    // The session is a cookie of this browser.
    disableStorageReset: true,
    logLevel: "error",
  };
  const result = await lighthouse(url, flags, phone ? undefined : desktopConfig);
  if (!result) throw new Advice(`Lighthouse says nothing of ${url}.`);
  const { audits, categories: found } = result.lhr;
  const score = (name: Category) => Math.round((found[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  for (const { id, score: one, title, details, scoreDisplayMode } of Object.values(audits)) {
    const weighed = found.accessibility?.auditRefs.concat(found["best-practices"]?.auditRefs ?? []);
    const counts = weighed?.some((ref) => ref.id === id && ref.weight > 0);
    if (counts && one === 0 && scoreDisplayMode === "binary") {
      console.log(`  ${id}: ${title} ${JSON.stringify(details).slice(0, shownCharsMax)}`);
    }
  }
  return {
    scores: {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
    },
    paintedMs: value("largest-contentful-paint"),
    blockedMs: value("total-blocking-time"),
    shift: value("cumulative-layout-shift"),
  };
}

function report(measured: Readonly<Record<string, PageScores>>): void {
  if (process.argv.includes("--keep")) {
    const result = { machine: machine(), runs, bounds, pages: measured };
    writeFileSync("bench/lighthouse.json", `${JSON.stringify(result, null, 2)}\n`);
  }
  const low = Object.entries(measured).flatMap(([name, { scores }]) =>
    categories
      .filter((category) => scores[category] < bounds[category])
      .map((category) => `${name}: ${category} ${scores[category]} < ${bounds[category]}`),
  );
  if (low.length > 0) throw new Advice(low.join("\n"));
}
