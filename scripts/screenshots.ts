/**
 * `npm run screenshots`: the screenshots of the README and, in both themes, of the home page; taken from a temporary
 * instance with the demo.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { chromiumFlags, findChromium } from "./chromium.ts";
import { owner, withDemo } from "./demo-instance.ts";
import { Advice } from "./processes.ts";

const folder = join("docs", "pictures");
const size = { width: 1440, height: 900 };
const bytesMax = 100_000;
const quality = 82;

const executablePath = await findChromium(console.log);
let stopping: AbortSignal | undefined;
await withDemo(".fuxi-screenshots", async (url, signal) => {
  stopping = signal;
  await takePictures(url);
});

async function takePictures(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    await takeAll(await openPage(browser, url, "light"), "");
    await takeAll(await openPage(browser, url, "dark"), "-dark");
  } finally {
    await browser.close();
  }
}

/** A page of the owner, at the list of links. */
async function openPage(
  browser: Browser,
  url: string,
  colorScheme: "light" | "dark",
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    colorScheme,
    reducedMotion: "reduce",
    locale: "en-US",
  });
  const page = await context.newPage();
  await page.goto("/signin?next=/app/demo/links");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => address.pathname === "/app/demo/links");
  return page;
}

/** The home page shows links, analytics and the QR code editor; the README all of them, in one theme. */
async function takeAll(page: Page, suffix: "" | "-dark"): Promise<void> {
  const links = page.getByRole("list", { name: "Links" });
  await links.waitFor();
  if (suffix === "") await closeFirstSteps(page);
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

/** They stay closed: the second round has none. */
async function closeFirstSteps(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Close “Get started”" }).click();
  await page.getByRole("heading", { name: "Get started" }).waitFor({ state: "detached" });
}

/** Its code is loaded when it is first displayed. */
function chartOf(page: Page): Locator {
  return page
    .getByRole("img", { name: /^Chart from/ })
    .locator("svg")
    .first();
}

/** The position of the link with the most clicks in the list. */
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
  stopping?.throwIfAborted();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.webp`);
  await page.waitForLoadState("networkidle");
  const shot = await page.screenshot({ animations: "disabled", caret: "hide" });
  const picture = await sharp(shot).webp({ quality, effort: 6 }).toBuffer();
  const { length: bytes } = picture;
  if (bytes > bytesMax) throw new Advice(`${path} has ${bytes} bytes, more than ${bytesMax}.`);
  writeFileSync(path, picture);
  console.log(`${path}: ${bytes} bytes`);
}
