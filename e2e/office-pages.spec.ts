import { randomUUID } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { startTestInstance, type TestInstance } from "../test/instance.ts";
import { openQueue } from "../test/queues.ts";
import { expectAccessible, signUp, untilAlive } from "./journey.ts";

const icpNumber = "京ICP备12345678号-1";

/**
 * Pages of the back office that change a whole instance: with one of their own, because the other tests would read the
 * announcement and miss the feature. Its API keys need approval, and it has an ICP number.
 */
interface Office {
  instance: TestInstance;
  /** The page of the administrator, which is the first account. */
  office: Page;
}

const test = base.extend<object, Office>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the parameter to find a fixture's dependencies
    async ({}, use) => {
      const env = {
        FUXI_TRUSTED_PROXIES: "127.0.0.1,::1",
        FUXI_KEY_APPROVAL: "on",
        FUXI_ICP: icpNumber,
      };
      const instance = await startTestInstance({ name: "office", redisDatabase: 11, env });
      await use(instance);
      await instance.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  office: [
    async ({ browser, instance }, use) => {
      const context = await browser.newContext({ baseURL: instance.url, locale: "en-US" });
      const office = await context.newPage();
      const { slug } = await signUp(office);
      await office.goto(`/app/${slug}/settings/security`);
      await untilAlive(office);
      await office.getByRole("button", { name: "Set up" }).click();
      const secret = (await office.getByRole("dialog").getByRole("code").textContent()) ?? "";
      const totp = new TOTP({ secret: secret.replaceAll(" ", "") });
      await office.getByLabel("Verification code", { exact: true }).fill(totp.generate());
      await office.getByRole("button", { name: "Turn on" }).click();
      await office.getByRole("button", { name: "I’ve saved them" }).click();
      await use(office);
      await context.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ instance }, use) => use(instance.url),
});

/** The language that axe checks a size in: it takes a second per page, and both have the same elements. */
const sizes = [
  { width: 1440, height: 900, checkedIn: "en" },
  { width: 390, height: 844, checkedIn: "zh" },
] as const;

/** No rule of axe is violated, and nothing is wider than the window, in both languages and sizes. */
async function expectGood(office: Page, heading: { en: string; zh: string }): Promise<void> {
  const locale = { name: "locale", value: "zh", url: new URL(office.url()).origin };
  for (const language of ["en", "zh"] as const) {
    if (language === "zh") await office.context().addCookies([locale]);
    await office.reload();
    await expect(office.getByRole("heading", { level: 1 })).toHaveText(heading[language]);
    for (const { checkedIn, ...size } of sizes) {
      await office.setViewportSize(size);
      if (language === checkedIn) await expectAccessible(office);
      const wide = await office.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, `${office.url()} at ${size.width} px`).toBeLessThanOrEqual(0);
    }
  }
  await office.context().clearCookies({ name: "locale" });
  await office.setViewportSize({ width: 1280, height: 720 });
  await office.reload();
  await untilAlive(office);
}

/** From the overview to a page of the navigation. */
async function openPage(office: Page, name: string): Promise<void> {
  await office.goto("/admin");
  await untilAlive(office);
  await office.getByRole("link", { name, exact: true }).click();
  await expect(office.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
}

/** Confirms a dialog with a reason. */
async function confirm(office: Page, button: string, reason: string): Promise<void> {
  const dialog = office.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

test("an announcement is above the pages of a person until they close it, and stays closed", async ({
  office,
  page,
}) => {
  const { slug } = await signUp(page);
  await openPage(office, "Announcements");
  const english = `Maintenance ${randomUUID().slice(0, 8)}`;
  await office.getByLabel("English text").fill(english);
  await office.getByLabel("Chinese text").fill("今晚维护");
  const end = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await office.getByLabel("End (UTC)").fill(end);
  await office.getByLabel("Reason").fill("New disks");
  await office.getByRole("button", { name: "Create announcement" }).click();
  const list = office.getByRole("list", { name: "All announcements" });
  await expect(list.getByText(english)).toBeVisible();

  const banner = page.getByRole("region", { name: "Announcements" });
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await expect(banner.getByText(english)).toBeVisible();
  await expectAccessible(page);
  const closed = page.waitForResponse((answer) => answer.request().method() === "POST");
  await banner.getByRole("button", { name: `Close announcement: ${english}` }).click();
  await expect(banner).toHaveCount(0);
  await closed;
  for (const path of ["links", "analytics"]) {
    await page.goto(`/app/${slug}/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(banner).toHaveCount(0);
  }
  await office.reload();
  await expect(list.getByText("closed by 1 person")).toBeVisible();
  await expectGood(office, { en: "Announcements", zh: "公告" });
  await list.getByRole("button", { name: `End “${english}”` }).click();
  await confirm(office, "End announcement", "Done early");
  await expect(list.getByText("Ended", { exact: true })).toBeVisible();
});

test("a new API key waits for an administrator: one is approved and works, one is declined with a reason", async ({
  office,
  page,
}) => {
  const { slug } = await signUp(page);
  await page.goto(`/app/${slug}/settings/api-keys`);
  await untilAlive(page);
  const secrets: string[] = [];
  for (const name of ["Newsletter", "Unknown"]) {
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create key" }).click();
    secrets.push(await dialog.getByLabel(`API key “${name}”`).inputValue());
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await expect(page.getByRole("row", { name })).toContainText("Pending");
  }
  const statusOf = async (secret = "") => {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${new URL(page.url()).origin}/api/links`, { headers })).status;
  };
  expect(await statusOf(secrets[0])).toBe(403);

  await openPage(office, "API keys");
  await expect(office.getByRole("listitem").filter({ hasText: "Unknown" })).toBeVisible();
  await expectGood(office, { en: "API keys", zh: "API 密钥" });
  await office.getByRole("button", { name: "Approve Newsletter" }).click();
  await confirm(office, "Approve", "Known customer");
  await expect(office.getByRole("button", { name: "Approve Newsletter" })).toHaveCount(0);
  await office.getByRole("button", { name: "Decline Unknown" }).click();
  await confirm(office, "Decline", "Please tell us what it is for");
  await expect(office.getByText("No pending API keys")).toBeVisible();
  await expect.poll(() => statusOf(secrets[0])).toBe(200);
  expect(await statusOf(secrets[1])).toBe(401);
  await page.reload();
  await expect(page.getByRole("row", { name: "Newsletter" })).not.toContainText("Pending");
});

test("a failed job is listed with its error; one runs again, another is deleted", async ({
  office,
  instance,
}) => {
  const name = "destinations.warn";
  const queue = openQueue(instance.redisUrl, name);
  const [first, second] = await Promise.all([
    queue.add(name, { kind: "first" }),
    queue.add(name, { kind: "second" }),
  ]);
  await expect(async () => {
    await openPage(office, "System");
    await expect(office.getByText('{"kind":"second"}')).toBeVisible({ timeout: 1_000 });
    await expect(office.getByText('{"kind":"first"}')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(office.getByRole("cell", { name: "Running" }).first()).toBeVisible();
  await expectGood(office, { en: "System", zh: "系统状态" });

  await first.updateData({ kind: "warn" });
  await office.getByRole("button", { name: `Retry ${name} ${first.id}` }).click();
  await confirm(office, "Retry", "Data repaired");
  await expect.poll(() => first.getState()).toBe("completed");
  await office.getByRole("button", { name: `Delete ${name} ${second.id}` }).click();
  await confirm(office, "Delete", "Not needed");
  await expect(office.getByText('{"kind":"second"}')).toBeHidden();
  expect(await second.getState()).toBe("unknown");
  await queue.close();
});

test("a host on the block list is refused in the form of a link, by its name", async ({
  office,
  page,
}) => {
  const { slug } = await signUp(page);
  await openPage(office, "Destination lists");
  const host = `${slug}.example`;
  const block = office.getByRole("region", { name: "Block list", exact: true });
  await block.getByLabel("Add entries").fill(host);
  await block.getByLabel("Reason").fill("Phishing reported");
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByRole("listitem").filter({ hasText: host })).toBeVisible();
  await expectGood(office, { en: "Destination lists", zh: "目标网址列表" });
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Destination").fill(`https://${host}/login`);
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByText(`${host} is on the block list of this instance.`)).toBeVisible();
  await expectAccessible(page);
});

test("a feature that is turned off is refused with its text, until it is turned on again", async ({
  office,
  page,
}) => {
  const { slug } = await signUp(page);
  await openPage(office, "Features");
  await office.getByRole("button", { name: "Turn off: New share links" }).click();
  await confirm(office, "Turn off", "Misused");
  await expect(office.getByText(/UTC: Misused$/)).toBeVisible();
  await expectGood(office, { en: "Features", zh: "功能开关" });

  await page.goto(`/app/${slug}/analytics`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Share analytics" });
  await sheet.getByLabel("Name").fill("For the board");
  await sheet.getByRole("button", { name: "Create share link" }).click();
  await expect(
    sheet.getByText("This feature is turned off on this instance. Contact your administrator."),
  ).toBeVisible();
  await expectAccessible(page);

  await office.getByRole("button", { name: "Turn on: New share links" }).click();
  await confirm(office, "Turn on", "Under control");
  await expect(office.getByText(/UTC: Under control$/)).toBeVisible();
  const created = sheet.getByLabel("Share link for “For the board”");
  await expect(async () => {
    if (await created.isVisible()) return; // a slow answer may come between two presses
    await sheet.getByRole("button", { name: "Create share link" }).click({ timeout: 1_000 });
    await expect(created).toBeVisible({ timeout: 5_000 });
  }).toPass();
});

test("usage counts accounts and links per day, in charts and a table", async ({
  office,
  instance,
}) => {
  const queue = openQueue(instance.redisUrl, "usage.record");
  await queue.add("usage.record", {});
  const table = office.getByRole("table", { name: "Numbers per day" });
  await expect(async () => {
    await openPage(office, "Usage");
    await office.getByText("Numbers per day", { exact: true }).first().click();
    // Today: the links, clicks, workspaces and accounts of this file.
    const numbers = await table.getByRole("row").nth(1).getByRole("cell").allTextContents();
    expect(Number(numbers.at(-1))).toBeGreaterThan(0);
  }).toPass();
  await queue.close();
  await office.getByRole("link", { name: "90 days" }).click();
  await expect(office.getByRole("link", { name: "90 days" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(office.getByRole("img", { name: /^New accounts per day/ })).toBeVisible();
  await expect(office.getByRole("table", { name: "Largest tables" })).toBeVisible();
  await expectGood(office, { en: "Usage", zh: "用量" });
});

test("every page for visitors has the ICP number with a link to the register", async ({ page }) => {
  for (const path of ["/", "/docs", "/docs/api", "/legal/terms", "/signin", "/signup"]) {
    await page.goto(path);
    const number = page.getByRole("link", { name: icpNumber });
    await expect(number, path).toHaveAttribute("href", "https://beian.miit.gov.cn/");
  }
  await expectAccessible(page);
});
