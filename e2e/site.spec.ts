import { expect, type Page } from "@playwright/test";
import {
  expectAccessible,
  openDestination,
  signUp,
  siteOrigin,
  test,
  untilAlive,
  visit,
} from "./journey.ts";

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
}

test("an address typed on the first page becomes the first link right after signing up", async ({
  page,
  browser,
}) => {
  const destination = await openDestination("Shortened before signing up");
  await page.goto("/");
  await expectAccessibleInBothThemes(page);
  const box = page.getByLabel("Destination URL");
  await box.fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Shorten" }).click();
  await expect(page.getByText("Enter a full URL").first()).toBeVisible();
  await box.fill(destination.url);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.waitForURL("**/signup");
  await expect(page.getByText("Your short link to 127.0.0.1")).toBeVisible();
  const { slug } = await signUp(page);
  const ready = page.getByRole("dialog", { name: "Your link is ready" });
  const shortLink = await ready.getByLabel("Short link").inputValue();
  await ready.getByRole("button", { name: "Done" }).click();
  await visit(browser, shortLink, "Shortened before signing up");
  await page.reload();
  await untilAlive(page);
  await expect(page.getByRole("list", { name: "Links" }).locator("[data-row]")).toHaveCount(1);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.goto("/");
  await untilAlive(page);
  await page.getByLabel("Destination URL").fill(`${destination.url}&second=1`);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.getByRole("link", { name: "All links" }).click();
  await page.waitForURL(`**/app/${slug}/links`);
  await expect(page.getByRole("list", { name: "Links" }).locator("[data-row]")).toHaveCount(2);
});

test("visitors see how to sign up and what it looks like without scrolling", async ({ page }) => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.goto("/");
    await expect(page.getByRole("link", { name: "Sign up", exact: true })).toBeInViewport();
    await expect(page.getByRole("img", { name: /^Links page/ })).toBeInViewport({ ratio: 0.4 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(size.width);
  }
});

test("prices and legal pages are there for everyone, on a phone too", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/pricing", "/legal/privacy", "/legal/terms"]) {
    await page.goto(path);
    await expectAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, path).toBeLessThanOrEqual(390);
  }
  const answer = await page.goto("/legal/nothing");
  expect(answer?.status()).toBe(404);
});

test("tags are made, changed and deleted in the settings", async ({ page, workspace }) => {
  await page.goto(`/app/${workspace.slug}/tags`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Create tag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("autumn");
  await dialog.getByRole("button", { name: "Create tag" }).click();
  await page.getByRole("button", { name: "Edit: autumn" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("winter");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /winter/ })).toContainText("No links");
  await expectAccessibleInBothThemes(page);
  await page.getByRole("button", { name: "Delete: winter" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("The links and their clicks are kept");
  await page.getByRole("button", { name: "Delete tag" }).click();
  await expect(page.getByRole("heading", { name: "No tags yet" })).toBeVisible();
});

test("folders are made in the settings", async ({ page, workspace }) => {
  await page.goto(`/app/${workspace.slug}/folders`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Create folder" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Customers");
  await dialog.getByRole("button", { name: "Create folder" }).click();
  await expect(page.getByRole("row", { name: /Customers/ })).toBeVisible();
  await expectAccessible(page);
});

test("the settings say what of the plan is used", async ({ page, workspace: { make, slug } }) => {
  await make("/folders", { name: "Customers" });
  await page.goto(`/app/${slug}/settings/plan`);
  await expect(page.getByRole("region", { name: "Usage" })).toContainText("1 (unlimited)");
  await expectAccessible(page);
});

test("what was done to tags and folders is found in the audit log, again after a reload", async ({
  page,
  workspace: { make, slug },
}) => {
  const headers = { Origin: siteOrigin, "X-Fuxi-Workspace": slug };
  const { id } = await make("/tags", { name: "autumn" });
  const renamed = await page.request.patch(`/api/tags/${id}`, {
    headers,
    data: { name: "winter" },
  });
  expect(renamed.ok()).toBe(true);
  expect((await page.request.delete(`/api/tags/${id}`, { headers })).ok()).toBe(true);
  await make("/folders", { name: "Customers" });

  await page.goto(`/app/${slug}/settings/audit`);
  await untilAlive(page);
  const log = page.getByRole("list", { name: "Audit log" });
  await expect(log.getByRole("listitem")).toHaveCount(5);
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Tags" }).click();
  await expect(log.getByRole("listitem")).toHaveCount(3);
  await page.reload();
  await untilAlive(page);
  await expect(log.getByRole("listitem")).toHaveCount(3);
  await expect(log.getByRole("listitem").nth(1)).toContainText("autumn");
  await expect(log.getByRole("listitem").nth(1)).toContainText("winter");
  await expect(log.getByRole("listitem").first()).toContainText("127.0.0.1");
  await expectAccessibleInBothThemes(page);
  const file = await page.request.get(`/api/audit/export?workspace=${slug}&action=tag.*`);
  expect((await file.text()).trimEnd().split("\r\n")).toHaveLength(4);
});

test("everything of a workspace is had as one archive, a notice says so, and first steps can be closed", async ({
  page,
}) => {
  const { slug } = await signUp(page);
  await expect(page.getByRole("heading", { name: "Get started" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close “Get started”" }).click();
  await expect(page.getByRole("heading", { name: "Get started" })).toHaveCount(0);
  await page.goto(`/app/${slug}/settings/export`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Start export" }).click();
  const file = page.getByRole("link", { name: "Download" });
  await expect(file).toBeVisible({ timeout: 120_000 });
  await expectAccessibleInBothThemes(page);
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^fuxi-${slug}-.*\\.zip$`));
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await expect(page.getByRole("heading", { name: "Get started" })).toHaveCount(0);
  await page.getByRole("button", { name: "Notifications, 1 new" }).click();
  await expect(page.getByText("The workspace export is ready.")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.reload();
  await untilAlive(page);
  await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
});
