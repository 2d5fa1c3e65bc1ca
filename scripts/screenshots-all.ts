/**
 * `npm run screenshots -- --all`: writes contact sheets of every page to `.fuxi-pictures`, for people to look at: one set on a
 * wide screen, and more on the phone, in the dark theme and in Chinese. Fails if boxes
 * overlap, are cut or leave their place (test/boxes.ts).
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { findBoxFaults } from "../test/boxes.ts";
import { chromiumFlags, findChromium } from "./chromium.ts";
import { enterFactor, signIn } from "./demo-instance.ts";

const folder = ".fuxi-pictures";
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const timeoutMs = 120_000;
/** The number of pages on a sheet, and the width of each picture. */
const sheets = {
  wide: { columns: 3, rows: 3, width: 640 },
  phone: { columns: 6, rows: 2, width: 300 },
};
const captionHeight = 26;

const looks = [
  { name: "wide", sheet: "wide", viewport: wide, colorScheme: "light", locale: "en-US" },
  { name: "phone", sheet: "phone", viewport: phone, colorScheme: "light", locale: "en-US" },
  { name: "dark", sheet: "wide", viewport: wide, colorScheme: "dark", locale: "en-US" },
  { name: "zh", sheet: "wide", viewport: wide, colorScheme: "light", locale: "zh-CN" },
  { name: "phone-zh-dark", sheet: "phone", viewport: phone, colorScheme: "dark", locale: "zh-CN" },
] as const;

/** Pages that no other page links to. */
const unlinked = [
  "/app/account",
  "/app/account/security",
  "/pricing",
  "/app/new",
  "/app/new/link",
  "/share/none",
  "/app/demo/contacts",
];
/** Pages that people see before they sign in. */
const guestPaths = [
  ...["/", "/signin", "/signup", "/signin/code", "/signin/letter", "/signout"],
  ...["/reset", "/reset/factor", "/verify?token=none", "/invite?token=none"],
];

/** `only` limits it to some of the looks. Returns the faults. */
export async function takeContactSheets(
  url: string,
  dataDir: string,
  only: string | undefined,
): Promise<string[]> {
  const browser = await chromium.launch({
    executablePath: await findChromium(console.log),
    args: chromiumFlags(),
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const wanted = only?.split(",");
  const faults: string[] = [];
  try {
    const page = await openPage(browser, url, looks[0]);
    await signIn(page);
    await enterFactor(dataDir);
    const cookies = await page.context().cookies();
    const paths = await listPaths(page);
    for (const look of looks.filter(({ name }) => wanted?.includes(name) ?? true)) {
      const shown = await openPage(browser, url, look);
      faults.push(...(await takeLook(shown, look, guestPaths, "guest")));
      await shown.context().addCookies(cookies.filter(({ name }) => name !== "locale"));
      faults.push(...(await takeLook(shown, look, paths, "")));
      await shown.context().close();
    }
    return faults;
  } finally {
    await browser.close();
  }
}

type Look = (typeof looks)[number];

async function openPage(browser: Browser, url: string, look: Look): Promise<Page> {
  const { viewport, colorScheme, locale } = look;
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    colorScheme,
    locale,
    reducedMotion: "reduce",
    isMobile: look.sheet === "phone",
  });
  await context.addCookies([{ name: "locale", value: locale.slice(0, 2), url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  return page;
}

/** Patterns such as `/app/demo/links/[id]`. One URL per route is enough. */
function routes(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((name) => /(^|\/)page\.tsx$/.test(name))
    .map((name) => `/${name.replace(/\/?page\.tsx$/, "").replace(/\([^)]*\)\/?/g, "")}`)
    .map((route) => (route === "/" ? route : route.replace(/\/$/, "")))
    .sort();
}

/** Follows links from page to page until each route has a URL, and prints routes that have none. */
async function listPaths(page: Page): Promise<string[]> {
  const open = new Map(
    routes().map((route) => [
      route,
      new RegExp(`^${route.replace("[workspace]", "demo").replaceAll(/\[[^\]]+\]/g, "[^/?#]+")}$`),
    ]),
  );
  const found = new Map<string, string>();
  const waiting = ["/app/demo/links", "/docs", "/admin", ...unlinked];
  const seen = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { pathname } = new URL(path, "http://localhost");
    const route = [...open].find(([name, pattern]) => pattern.test(pathname) && !found.has(name));
    if (!route) continue;
    found.set(route[0], path);
    await page.goto(path, { waitUntil: "networkidle" });
    const links = await page.$$eval("a[href^='/']", (anchors) =>
      anchors.map((anchor) => anchor.getAttribute("href") ?? ""),
    );
    for (const link of links.map((one) => one.replace(/[?#].*/, ""))) {
      if (!seen.has(link)) waiting.push(link);
      seen.add(link);
    }
  }
  const missing = [...open.keys()].filter((route) => !found.has(route));
  if (missing.length > 0) console.log(`No link leads to: ${missing.join(", ")}`);
  return [...found.values()].sort();
}

async function takeLook(
  page: Page,
  look: Look,
  paths: string[],
  prefix: string,
): Promise<string[]> {
  const faults: string[] = [];
  const { columns, rows } = sheets[look.sheet];
  const size = columns * rows;
  for (let first = 0; first < paths.length; first += size) {
    const tiles: Tile[] = [];
    for (const path of paths.slice(first, first + size)) {
      await page.goto(path, { waitUntil: "networkidle" });
      const found = await findBoxFaults(page);
      faults.push(...found.map((fault) => `${look.name} ${path}: ${fault}`));
      tiles.push({ path, shot: await page.screenshot({ animations: "disabled" }) });
    }
    const number = String(first / size + 1).padStart(2, "0");
    const file = join(folder, `${look.name}${prefix && `-${prefix}`}-${number}.png`);
    writeFileSync(file, await compose(tiles, look));
    console.log(file);
  }
  return faults;
}

interface Tile {
  path: string;
  shot: Buffer;
}

async function compose(tiles: Tile[], { sheet, viewport }: Look): Promise<Buffer> {
  const { columns, width } = sheets[sheet];
  const height = Math.round((width * viewport.height) / viewport.width);
  const parts = await Promise.all(
    tiles.map(async ({ path, shot }, at) => {
      const left = (at % columns) * (width + 10);
      const top = Math.floor(at / columns) * (height + captionHeight + 10);
      const text = path.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      const caption = `<svg width="${width}" height="${captionHeight}"><text x="4" y="18" font-size="15" font-family="sans-serif">${text}</text></svg>`;
      return [
        { input: Buffer.from(caption), left, top },
        {
          input: await sharp(shot).resize(width, height).toBuffer(),
          left,
          top: top + captionHeight,
        },
      ];
    }),
  );
  const lines = Math.ceil(tiles.length / columns);
  return await sharp({
    create: {
      width: columns * (width + 10),
      height: lines * (height + captionHeight + 10),
      channels: 3,
      background: "#d4d4d8",
    },
  })
    .composite(parts.flat())
    .png()
    .toBuffer();
}
