import { readFileSync } from "node:fs";
import { type Browser, test as base, expect, type Page } from "@playwright/test";
import pg from "pg";
import { startTestInstance, type TestInstance } from "../test/instance.ts";
import { TcpProxy } from "../test/tcp-proxy.ts";
import { expectAccessible, signUp, untilAlive } from "./journey.ts";

/**
 * The pages during failures. With its own instance, because its database becomes unavailable, which would affect the
 * others. A failing page reports to the browser's console as well, so these tests ignore it.
 */
const databaseProxy = new TcpProxy();

const test = base.extend<object, { instance: TestInstance }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the parameter to find a fixture's dependencies
    async ({}, use) => {
      const instance = await startTestInstance({
        name: "failing",
        redisDatabase: 13,
        env: { FUXI_TRUSTED_PROXIES: "127.0.0.1,::1" },
        lead: (databaseUrl) => databaseProxy.open(databaseUrl),
      });
      await use(instance);
      await instance.stop();
      await databaseProxy.close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ instance }, use) => use(instance.url),
});

async function onDatabase({ databaseUrl }: TestInstance, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

const failure = { en: "This page couldn’t be loaded", "zh-CN": "页面加载失败" };
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };
/** Each language in both themes and on both screens, in turns. */
const variants = {
  en: [
    { colorScheme: "dark", screen: phone },
    { colorScheme: "light", screen: desk },
  ],
  "zh-CN": [
    { colorScheme: "light", screen: phone },
    { colorScheme: "dark", screen: desk },
  ],
} as const;

/** The page reports the failure, in every variant, and its reference is in the log. */
async function expectFailure(page: Page, language: keyof typeof variants): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: failure[language] })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  for (const { colorScheme, screen } of variants[language]) {
    await page.setViewportSize(screen);
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, "wider than its window").toBeLessThanOrEqual(0);
  }
  const alert = page.getByRole("alert").filter({ hasText: failure[language] });
  const [reference = "none"] = /\d{6,}/.exec((await alert.textContent()) ?? "") ?? [];
  expect(readFileSync(".fuxi-test/failing.log", "utf8")).toContain(reference);
}

/** The same person in a browser with Chinese as its language. */
async function inChinese(browser: Browser, page: Page): Promise<Page> {
  const baseURL = new URL(page.url()).origin;
  const context = await browser.newContext({ baseURL, locale: "zh-CN" });
  await context.addCookies(await page.context().cookies());
  return await context.newPage();
}

test("while one table is away its page says so inside its frame, the others work, and trying again mends it", async ({
  page,
  browser,
  instance,
}) => {
  const { slug } = await signUp(page);
  await onDatabase(instance, "ALTER TABLE utm_template RENAME TO utm_template_away");
  await page.goto(`/app/${slug}/utm`);
  await expectFailure(page, "en");

  const chinese = await inChinese(browser, page);
  await chinese.goto(`/app/${slug}/utm`);
  await expectFailure(chinese, "zh-CN");
  await expect(chinese.getByRole("link", { name: "链接", exact: true })).toBeVisible();
  await chinese.context().close();

  // Input in a failed page is kept when the page recovers.
  await page.keyboard.press("c");
  await page.getByLabel("Destination").fill("https://example.com/written");
  await onDatabase(instance, "ALTER TABLE utm_template_away RENAME TO utm_template");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "UTM templates" })).toBeVisible();
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Continue editing" }).click();
  await expect(page.getByLabel("Destination")).toHaveValue("https://example.com/written");
});

test("while the database is away links lead on, forms keep what was typed, and what was shown too early is taken back", async ({
  page,
  browser,
  instance,
}) => {
  const { slug, email, password } = await signUp(page);
  const headers = { Origin: instance.url, "X-Fuxi-Workspace": slug };
  const data = { url: "https://example.com/fair", key: "fair" };
  await page.request.post("/api/links", { headers, data });
  const follow = async () => {
    const answer = await page.request.get("/fair", { maxRedirects: 0 });
    expect([answer.status(), answer.headers()["location"]]).toEqual([302, data.url]);
  };
  await follow();
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  const stranger = await browser.newPage({ baseURL: instance.url });
  await stranger.goto("/signin");
  await untilAlive(stranger);
  const row = page.getByRole("listitem").filter({ hasText: "/fair" });
  const unavailable = "The service is temporarily unavailable";
  await databaseProxy.close();

  await test.step("visitors and readers notice nothing", async () => {
    await follow();
    for (const path of ["/", "/legal/terms", "/docs", "/docs/api"]) {
      expect((await page.request.get(path)).status(), path).toBe(200);
    }
    const answer = await page.request.get("/api/links", { headers });
    expect([answer.status(), answer.headers()["retry-after"]]).toEqual([503, "2"]);
    expect(Object(await answer.json()).error.code).toBe("service_unavailable");
  });

  await test.step("nobody is told a wrong password, nor where the database is", async () => {
    await stranger.getByLabel("Email").fill(email);
    await stranger.getByLabel("Password").fill(password);
    const answered = stranger.waitForResponse(/callback\/password/);
    await stranger.getByRole("button", { name: "Sign in" }).click();
    expect(await (await answered).text()).not.toContain("ECONN");
    await expect(stranger.getByRole("alert").filter({ hasText: unavailable })).toBeVisible();
    await stranger.context().close();
  });

  await test.step("a link that was archived too early comes back", async () => {
    await row.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await expect(page.getByText(unavailable)).toBeVisible();
    await expect(row).toBeVisible();
  });

  await test.step("a page that is gone to fails inside its frame", async () => {
    await page.getByRole("link", { name: "Domains" }).click();
    await expect(page.getByRole("heading", { name: failure.en })).toBeVisible();
    await expect(page.getByRole("link", { name: "Links", exact: true })).toBeVisible();
    const chinese = await inChinese(browser, page);
    await chinese.goto(`/app/${slug}/domains`);
    await expectFailure(chinese, "zh-CN");
    await chinese.context().close();
  });

  await test.step("what was typed is saved by the second press", async () => {
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Destination").fill("https://example.com/typed");
    const save = dialog.getByRole("button", { name: "Create link" });
    await save.click();
    await expect(dialog.getByRole("alert").filter({ hasText: unavailable })).toBeVisible();
    await expect(dialog.getByLabel("Destination")).toHaveValue("https://example.com/typed");
    await databaseProxy.reopen();
    // The database is probed a few times a second. A slow answer may come between two presses.
    const ready = page.getByText("Your link is ready");
    await expect(async () => {
      if (await ready.isVisible()) return;
      await save.click({ timeout: 1_000 });
      await expect(ready).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  });

  await test.step("the page that failed comes by trying again", async () => {
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible();
    await page.getByRole("link", { name: "Links", exact: true }).click();
    await expect(page.getByText("example.com/typed")).toBeVisible();
    await follow();
  });
});
