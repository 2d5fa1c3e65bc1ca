import { test as base, expect } from "@playwright/test";
import { startTestInstance, type TestInstance } from "../test/instance.ts";
import { chinese, expectAccessible, signUp, untilAlive } from "./journey.ts";

/**
 * An account before its address is confirmed. With its own instance, because mail is configured there: the server does
 * not exist, so emails wait in the queue.
 */
const test = base.extend<object, { instance: TestInstance }>({
  instance: [
    async ({ browser }, use) => {
      const instance = await startTestInstance({
        name: "unconfirmed",
        redisDatabase: 12,
        env: { FUXI_TRUSTED_PROXIES: "127.0.0.1,::1", FUXI_SMTP_URL: "smtp://127.0.0.1:9" },
      });
      // The first account of an instance belongs to its administrator, and counts as confirmed.
      const context = await browser.newContext({ baseURL: instance.url, locale: "en-US" });
      await signUp(await context.newPage());
      await context.close();
      await use(instance);
      await instance.stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ instance }, use) => use(instance.url),
});

test("until the address is confirmed, every page offers the email, and no key is made", async ({
  page,
}) => {
  const { slug, email } = await signUp(page);
  const banner = page.getByRole("region", { name: "Confirm your email address" });
  await expect(banner).toContainText(email);
  await expectAccessible(page);
  await page.goto(`/app/${slug}/settings/api-keys`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Server");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Confirm your email address first");
  await page.keyboard.press("Escape");
  await banner.getByRole("button", { name: "Send confirmation email" }).click();
  await expect(page.getByText(`Email sent to ${email}.`)).toBeVisible();
});

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN" });

  test("the page says what waits for the confirmation", async ({ page }) => {
    const { email } = await signUp(page, chinese);
    const banner = page.getByRole("region", { name: "请确认你的邮箱" });
    await expect(banner).toContainText(email);
    await expectAccessible(page);
    await expect(banner.getByRole("button", { name: "发送确认邮件" })).toBeVisible();
  });
});
