import { expect } from "@playwright/test";
import { expectAccessible, holdRequests, test, untilAlive } from "./journey.ts";

test("the API is read and tried without leaving its pages", async ({
  page,
  workspace: { make },
}) => {
  const { key } = await make<{ key: string }>("/api-keys", { name: "Documentation" });
  await page.goto("/docs/api");
  await untilAlive(page);
  await expect(page.getByRole("heading", { name: "API reference", exact: true })).toBeVisible();

  await test.step("the first call in two languages", async () => {
    await page.getByRole("tab", { name: "TypeScript" }).click();
    await expect(page.getByText("await links.create({")).toBeVisible();
  });

  await test.step("a resource", async () => {
    await page.getByRole("link", { name: /^Links Create/ }).click();
    await expect(page.getByRole("heading", { name: "Links", exact: true })).toBeVisible();
    const contents = page.getByRole("navigation", { name: "On this page" });
    await contents.getByRole("link", { name: "Create a link", exact: true }).click();
    await expect(page).toHaveURL(/\/docs\/api\/links#createLink$/);
    await untilAlive(page);
  });

  const operation = page.getByRole("region", { name: "Create a link", exact: true });

  await test.step("a call with a wrong key shows what the API says", async () => {
    await operation.getByText("Try it").click();
    await operation.getByLabel("API key").fill("fuxi_wrong");
    await operation.getByRole("button", { name: "Send" }).click();
    await expect(operation).toContainText("401 Unauthorized");
    await expect(operation).toContainText("unknown, expired or revoked");
  });

  await test.step("a call with the right key makes a link", async () => {
    await operation.getByLabel("API key").fill(key);
    await operation.getByLabel("Body").fill('{"url": "https://example.com/tried"}');
    await operation.getByRole("button", { name: "Send" }).click();
    await expect(operation.getByRole("figure", { name: "Response" })).toContainText(
      '"url": "https://example.com/tried"',
    );
    await expectAccessible(page, "#createLink");
  });
});

test("the documentation is read page by page, with its pages beside it or above it on a phone", async ({
  page,
}) => {
  await page.goto("/docs/start");
  await untilAlive(page);
  const pages = page.getByRole("navigation", { name: "Documentation" });
  const current = pages.locator("[aria-current=page]");
  await expect(current).toHaveText("Quick start");
  await page.getByRole("link", { name: "Next Moving to Fuxi" }).click();
  await page.waitForURL("**/docs/moving");
  await expect(current).toHaveText("Moving to Fuxi");
  await page.getByRole("link", { name: "Previous Quick start" }).click();
  await page.waitForURL("**/docs/start");

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByText("All pages").click();
  await expectAccessible(page);
  const all = page.getByRole("navigation", { name: "All pages" });
  await all.getByRole("link", { name: "Redirect rules" }).click();
  await page.waitForURL("**/docs/rules");
});

test("the documentation is searched by keyboard, in both languages, and without JavaScript", async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto("/docs/start");
  await untilAlive(page);
  const field = page.getByRole("combobox", { name: "Search the documentation" });
  await field.fill("variants");
  const results = page.getByRole("listbox", { name: "Search results" });
  await expect(results.getByRole("option").first()).toBeVisible();
  await expectAccessible(page);
  await field.fill("how rules are evaluated");
  await expect(results.getByRole("option").first()).toContainText("How rules are evaluated");
  await field.press("ArrowDown");
  await field.press("ArrowUp");
  await field.press("Enter");
  await page.waitForURL("**/docs/rules#how-rules-are-evaluated");
  await field.fill("zzzzzz");
  await expect(page.getByText("No results for “zzzzzz”")).toBeVisible();
  await field.press("Escape");
  await expect(page.getByText("No results for “zzzzzz”")).toBeHidden();

  const chinese = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN" });
  const other = await chinese.newPage();
  await other.goto("/docs");
  await untilAlive(other);
  await other.getByRole("combobox", { name: "搜索文档" }).fill("加密链接");
  await expect(other.getByRole("option").first()).toContainText("密码");
  await chinese.close();

  const still = await (await page.request.get("/docs?q=backups")).text();
  expect(still).toContain("Results for “backups”");
  expect(still).toContain("For administrators");
});

test("scripts are loaded once, on first use, and a tab pressed meanwhile is chosen; a missing resource is not found", async ({
  page,
}) => {
  const sources = () =>
    page
      .locator('script[src*="/_next/"]:not([nomodule])')
      .evaluateAll((scripts) => scripts.map((script) => script.getAttribute("src") ?? ""));
  const scripts = "**/_next/static/**/*.js";
  const tab = page.getByRole("tab", { name: "TypeScript" }).first();
  await page.goto("/docs/api/links");
  expect(await sources()).toEqual([]);

  await test.step("pressed before the scripts are there", async () => {
    const release = await holdRequests(page, scripts);
    await tab.click();
    release();
    await expect(tab).toHaveAttribute("aria-selected", "true");
  });
  const loaded = await sources();
  expect(loaded.length).toBeGreaterThan(0);
  expect(new Set(loaded).size).toBe(loaded.length);

  await test.step("pressed before, and released when they are there", async () => {
    await page.reload();
    const release = await holdRequests(page, scripts);
    await tab.hover();
    await page.mouse.down();
    release();
    await untilAlive(page);
    await page.mouse.up();
    await expect(tab).toHaveAttribute("aria-selected", "true");
  });

  expect((await page.request.get("/docs/api/nothing")).status()).toBe(404);
});
