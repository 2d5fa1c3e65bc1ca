/** `npm run screenshots`, from a temporary instance with the demo. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { chromiumFlags, findChromium } from "./chromium.ts";
import { enterFactor, signIn, withDemo } from "./demo-instance.ts";
import { Advice } from "./processes.ts";
import { takeContactSheets } from "./screenshots-all.ts";
import { takeGuidePictures } from "./screenshots-guides.ts";
import { takeLandingPictures } from "./screenshots-landing.ts";

const folder = join("docs", "pictures");
const size = { width: 1440, height: 900 };
const timeoutMs = 120_000;
const shownDomain = "go.alderpine.example";
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
  if (!all) return await takePictures(url);
  const faults = await takeContactSheets(url, dataDir, look);
  if (faults.length > 0) throw new Advice(`Boxes that are not tidy:\n${faults.join("\n")}`);
});

async function takePictures(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    const wide = await openPage(browser, url, 1);
    await wide.getByRole("list", { name: "Links", exact: true }).waitFor();
    await take("links", wide);
    const landing = await openPage(browser, url, 1.5);
    await assertChinese(landing);
    // Signed in before `enterFactor`, after which a password is not enough.
    const guides = await openPage(browser, url, 2);
    await enterFactor(dataDir);
    await takeLandingPictures(landing, take);
    await takeGuidePictures(guides, take);
  } finally {
    await browser.close();
  }
}

async function openPage(browser: Browser, url: string, pixelsPerPoint: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    deviceScaleFactor: pixelsPerPoint,
    colorScheme: "light",
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
  await signIn(page);
  return page;
}

async function assertChinese(page: Page): Promise<void> {
  if (await page.evaluate(hasChinese)) return;
  throw new Advice("The browser has no Chinese font. Install one, such as fonts-noto-cjk.");
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

async function take(name: string, part: Page | Locator): Promise<void> {
  const page = "page" in part ? part.page() : part;
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
