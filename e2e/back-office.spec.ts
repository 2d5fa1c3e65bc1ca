import { expect, type Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { makeOperator, makePlain } from "../test/workspaces.ts";
import { expectAccessible, signIn, signUp, test, untilAlive } from "./journey.ts";

/** Turns two-factor authentication on, in the security settings; returns its generator. */
async function turnFactorOn(page: Page): Promise<TOTP> {
  await page.getByRole("button", { name: "Set up" }).click();
  const secret = (await page.getByRole("dialog").getByRole("code").textContent()) ?? "";
  const totp = new TOTP({ secret: secret.replaceAll(" ", "") });
  await page.getByLabel("Verification code", { exact: true }).fill(totp.generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  return totp;
}

async function expectMissing(page: Page, path: string): Promise<void> {
  const answer = await page.goto(path);
  expect(answer?.status(), path).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page.getByText("Back office")).toHaveCount(0);
}

/** Neither wider than the window, nor in another language than chosen. */
async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide, page.url()).toBeLessThanOrEqual(0);
}

test("an administrator with a second factor finds a link by its code; the owner sees it, a member gets 404", async ({
  page,
  browser,
  person,
  workspace: { slug, make },
}) => {
  await makePlain(person.userId);
  const link = await make<{ id: string; key: string; shortLink: string }>("/links", {
    url: "https://example.com/searched",
  });
  for (const path of ["/admin", "/admin/search", `/admin/links/${link.id}`, "/admin/nothing"]) {
    await expectMissing(page, path);
  }

  const context = await browser.newContext({ baseURL: process.env["TEST_BASE_URL"] ?? "" });
  const office = await context.newPage();
  await expectMissing(office, "/admin");
  const account = await signUp(office);
  await makeOperator(account.email);
  await office.goto("/admin");
  await expect(office.getByRole("heading", { level: 1 })).toHaveText(
    "Turn on two-factor authentication",
  );
  await expectFits(office);
  await office.getByRole("link", { name: "Open security settings" }).click();
  await untilAlive(office);
  const totp = await turnFactorOn(office);
  await context.clearCookies();
  await office.goto("/signin");
  await untilAlive(office);
  await signIn(office, account);
  const soon = totp.generate({ timestamp: Date.now() + 30_000 });
  await office.getByLabel("Verification code or recovery code").fill(soon);
  await office.getByRole("button", { name: "Continue" }).click();
  await office.waitForURL(`**/app/${account.slug}/links`);
  await untilAlive(office);
  await office.getByRole("button", { name: "Account: Ada Byron" }).click();
  await office.getByRole("menuitem", { name: "Back office" }).click();
  await expect(office.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expectFits(office);

  await office.getByRole("link", { name: "Search", exact: true }).click();
  await office.getByLabel("Short link, slug").fill(link.key);
  await office.getByRole("button", { name: "Search" }).click();
  await expect(office.getByRole("cell", { name: "In use" })).toBeVisible();
  await expectFits(office);
  await office.getByRole("link", { name: link.shortLink.replace(/^https?:\/\//, "") }).click();
  await expect(office.getByText("https://example.com/searched")).toBeVisible();
  await expectFits(office);
  await office.getByRole("link", { name: "Acme" }).click();
  await expect(office.getByRole("heading", { level: 2, name: "API keys" })).toBeVisible();
  await expectFits(office);
  await office.getByRole("link", { name: "Ada Byron" }).first().click();
  await expect(office.getByRole("heading", { level: 2, name: "Sessions" })).toBeVisible();
  await expectFits(office);
  await office.getByRole("button", { name: "Make administrator" }).click();
  await office.getByRole("dialog").getByRole("button", { name: "Make administrator" }).click();
  await expect(office.getByText("Enter a reason of 3 to 500 characters.")).toBeVisible();
  await expectAccessible(office);
  await office.keyboard.press("Escape");

  await page.goto(`/app/${slug}/settings/audit`);
  const log = page.getByRole("list", { name: "Audit log" });
  await expect(log.getByText(/^Administrator Ada Byron viewed/).first()).toBeVisible();
  await expect(log.getByText(/found this workspace in a search/)).toHaveCount(1);

  await office.setViewportSize({ width: 390, height: 844 });
  await office.goto("/admin/audit");
  await expect(office.getByText("in Acme").first()).toBeVisible();
  await expectFits(office);
  await office.goto("/admin/lists");
  await expectFits(office);
  await office.goto(`/admin/search?text=${link.key}`);
  await expectFits(office);
  await office.getByRole("button", { name: "Open navigation" }).click();
  await office.getByRole("link", { name: "Overview" }).click();
  await expect(office.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expectFits(office);
  const { origin } = new URL(office.url());
  await context.addCookies([{ name: "locale", value: "zh", url: origin }]);
  await office.reload();
  await expect(office.getByRole("heading", { level: 1, name: "概览" })).toBeVisible();
  await expectFits(office);
  await context.close();
});

test("an administrator blocks a host for the instance, with a reason that is recorded", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: process.env["TEST_BASE_URL"] ?? "" });
  const office = await context.newPage();
  const account = await signUp(office);
  await makeOperator(account.email);
  await office.goto(`/app/${account.slug}/settings/security`);
  await untilAlive(office);
  await turnFactorOn(office);
  await office.goto("/admin/lists");
  await untilAlive(office);
  const host = `${account.slug}.example`;
  const block = office.getByRole("region", { name: "Block list", exact: true });
  await block.getByLabel("Add entries").fill(host);
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByText("Enter a reason of 3 to 500 characters.")).toBeVisible();
  await block.getByLabel("Reason").fill("Phishing reported");
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByRole("listitem").filter({ hasText: host })).toBeVisible();
  await expectFits(office);
  await block.getByLabel("Remove entries").fill(host);
  await block.getByLabel("Reason").fill("Cleared");
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByRole("listitem").filter({ hasText: host })).toHaveCount(0);
  await office.goto("/admin/audit");
  await expect(office.getByText("Reason: Phishing reported").first()).toBeVisible();
  await expectFits(office);
  await context.close();
});
