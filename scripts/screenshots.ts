/** `npm run screenshots`, from a temporary instance with the demo. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { chromiumFlags, findChromium } from "./chromium.ts";
import { owner, withDemo } from "./demo-instance.ts";
import { Advice } from "./processes.ts";
import { takeContactSheets } from "./screenshots-all.ts";
import { takeGuidePictures } from "./screenshots-guides.ts";

const folder = join("docs", "pictures");
const size = { width: 1440, height: 900 };
const timeoutMs = 120_000;
const shownDomain = "go.alderpine.example";
const phoneSize = { width: 390, height: 560 };
const bytesMax = 60_000;
const qualities = [82, 70, 60, 50];

const dataDir = ".fuxi-screenshots";
const { values } = parseArgs({
  options: { all: { type: "boolean" }, look: { type: "string" } },
});
const executablePath = await findChromium(console.log);
let stopping: AbortSignal | undefined;
await withDemo(dataDir, async (url, signal) => {
  stopping = signal;
  const { all, look } = values;
  if (all) await takeContactSheets(url, dataDir, look);
  else await takePictures(url);
});

async function takePictures(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    await takeAll(await openPage(browser, url, "light"), "");
    await takeAll(await openPage(browser, url, "dark"), "-dark");
    await takePhone(await openPage(browser, url, "light", 2), "");
    await takePhone(await openPage(browser, url, "dark", 2), "-dark");
    await takeGuides(await openPage(browser, url, "light", 2));
  } finally {
    await browser.close();
  }
}

async function openPage(
  browser: Browser,
  url: string,
  colorScheme: "light" | "dark",
  pixelsPerPoint = 1,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    deviceScaleFactor: pixelsPerPoint,
    colorScheme,
    reducedMotion: "reduce",
    locale: "en-US",
  });
  await context.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("[aria-labelledby=demo] { display: none }");
    document.adoptedStyleSheets = [sheet];
  });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  await page.goto("/signin?next=/app/demo/links");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => address.pathname === "/app/demo/links");
  return page;
}

/** The home page shows three pages, the README everything in one theme. */
async function takeAll(page: Page, suffix: "" | "-dark"): Promise<void> {
  const links = page.getByRole("list", { name: "Links", exact: true });
  await links.waitFor();
  await take(page, `links${suffix}`);
  const place = await busiest(page);
  await links.getByRole("listitem").nth(place).getByRole("link").first().click();
  await chartOf(page).waitFor();
  const link = new URL(page.url()).pathname;
  if (suffix === "") {
    await take(page, "link");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const code = page.getByRole("dialog").getByRole("img");
    await code.waitFor();
    await code.evaluate(async (image) => (image as HTMLImageElement).decode());
    await take(page, "editor");
  }
  await page.goto(`${link}/qr`);
  await page.getByRole("img", { name: /^QR code for/ }).waitFor();
  await take(page, `qr${suffix}`);
  await page.goto("/app/demo/analytics");
  await chartOf(page).waitFor();
  await take(page, `analytics${suffix}`);
}

/** Taken with two pixels per CSS pixel, like on phones. */
async function takePhone(page: Page, suffix: "" | "-dark"): Promise<void> {
  await page.setViewportSize(phoneSize);
  await page.getByRole("list", { name: "Links", exact: true }).waitFor();
  await take(page, `links-phone${suffix}`);
}

async function takeGuides(page: Page): Promise<void> {
  if (!(await page.evaluate(hasChinese))) {
    const message = "The browser has no Chinese font. Install one, such as fonts-noto-cjk.";
    throw new Advice(message);
  }
  await takeGuidePictures(page, (name, part) => take(page, name, part));
}

/** Runs in the browser. Without a font, all characters look like the same box. */
function hasChinese(): boolean {
  const [one, another] = [..."密链"].map((sign) => {
    const canvas = document.createElement("canvas");
    const drawing = canvas.getContext("2d");
    if (!drawing) return "";
    drawing.font = "32px sans-serif";
    drawing.fillText(sign, 10, 40);
    return canvas.toDataURL();
  });
  return one !== another;
}

/** The chart's code is loaded when it is first shown. */
function chartOf(page: Page): Locator {
  return page
    .getByRole("img", { name: /^Chart from/ })
    .locator("svg")
    .first();
}

async function busiest(page: Page): Promise<number> {
  const rows = await page
    .getByRole("list", { name: "Links", exact: true })
    .getByRole("listitem")
    .allInnerTexts();
  const clicks = rows.map((text) =>
    Number(/([\d,]+)\s+clicks?/.exec(text)?.[1]?.replaceAll(",", "")),
  );
  return clicks.indexOf(Math.max(...clicks.filter((count) => !Number.isNaN(count))));
}

async function take(page: Page, name: string, part: Page | Locator = page): Promise<void> {
  stopping?.throwIfAborted();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.webp`);
  await page.waitForLoadState("networkidle");
  await showDomain(page);
  const shot = await part.screenshot({ animations: "disabled", caret: "hide" });
  const picture = await smallest(shot);
  const { length: bytes } = picture;
  if (bytes > bytesMax) throw new Advice(`${path} has ${bytes} bytes, more than ${bytesMax}.`);
  writeFileSync(path, picture);
  console.log(`${path}: ${bytes} bytes`);
}

/** The demo's links are on localhost. Shows the domain of its shop instead. */
async function showDomain(page: Page): Promise<void> {
  await page.evaluate((domain) => {
    const local = /\b(?:demo\.)?localhost(?::\d+)?\b/g;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      const text = currentNode.nodeValue ?? "";
      if (local.test(text)) currentNode.nodeValue = text.replace(local, domain);
    }
  }, shownDomain);
}

async function smallest(shot: Buffer): Promise<Buffer> {
  let picture = shot;
  for (const quality of qualities) {
    picture = await sharp(shot).webp({ quality, effort: 6 }).toBuffer();
    if (picture.length <= bytesMax) break;
  }
  return picture;
}
