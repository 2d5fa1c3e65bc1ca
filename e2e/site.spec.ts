import { expect } from "@playwright/test";
import { expectAccessible, expectNoOverflow, signUp, test, untilAlive } from "./journey.ts";
import { noticeIn, shortLinkIn } from "./link-form.ts";

test("an address typed on the first page becomes the first link right after signing up", async ({
  page,
}) => {
  const destination = "https://example.com/autumn?edition=2";
  await page.goto("/");
  const box = page.getByLabel("Destination URL");
  await box.fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Shorten" }).click();
  await expect(page.getByText("Enter a full URL").first()).toBeVisible();
  await box.fill(destination);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.waitForURL("**/signup");
  await expect(page.getByText("Your short link to example.com")).toBeVisible();
  const { slug } = await signUp(page);
  const shortLink = await shortLinkIn(noticeIn(page));
  const answer = await page.request.get(shortLink, { maxRedirects: 0 });
  expect(answer.headers()["location"]).toBe(destination);
  await page.reload();
  await untilAlive(page);
  await expect(page.getByRole("list", { name: "Links" }).locator("[data-row]")).toHaveCount(1);
  await expect(noticeIn(page)).toHaveCount(0);

  await page.goto("/");
  await untilAlive(page);
  await page.getByLabel("Destination URL").fill(`${destination}&second=1`);
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
    await expectNoOverflow(page);
  }
});

test("tags, folders and templates are made, changed and deleted, each in its table", async ({
  page,
  openWorkspace,
}) => {
  await expect(page).toHaveURL(`/app/${openWorkspace.slug}/links`);
  const dialog = page.getByRole("dialog");

  await test.step("tags", async () => {
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("link", { name: "Tags", exact: true }).click();
    await page.getByRole("button", { name: "Create tag" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("autumn");
    await dialog.getByRole("button", { name: "Create tag" }).click();
    await page.getByRole("button", { name: "Edit: autumn" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("winter");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("row", { name: /winter/ })).toContainText("No links");
    await page.getByRole("button", { name: "Delete: winter" }).click();
    await expect(page.getByRole("alertdialog")).toContainText(
      "The links and their clicks are kept",
    );
    await page.getByRole("button", { name: "Delete tag" }).click();
    await expect(page.getByRole("heading", { name: "No tags yet" })).toBeVisible();
  });

  await test.step("folders", async () => {
    await page.getByRole("link", { name: "Folders", exact: true }).click();
    await page.getByRole("button", { name: "Create folder" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Customers");
    await dialog.getByRole("button", { name: "Create folder" }).click();
    await expect(page.getByRole("row", { name: /Customers/ })).toBeVisible();
  });

  await test.step("templates of campaign parameters", async () => {
    await page.getByRole("link", { name: "UTM templates", exact: true }).click();
    await page.getByRole("button", { name: "Create template" }).click();
    await dialog.getByRole("button", { name: "Create template" }).click();
    await expect(dialog.getByLabel("Template name")).toHaveAccessibleDescription(/name/);
    await expectAccessible(page);
    await dialog.getByLabel("Template name").fill("Newsletter");
    await dialog.getByLabel("Source").fill("mail");
    await dialog.getByRole("button", { name: "Create template" }).click();
    await page.getByRole("button", { name: "Edit: Newsletter" }).click();
    await page.getByLabel("Source").fill("");
    await page.getByLabel("Medium").fill("email");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("row", { name: /Newsletter email/ })).toBeVisible();
    await page.getByRole("button", { name: "Delete: Newsletter" }).click();
    await page.getByRole("button", { name: "Delete template" }).click();
    await expect(page.getByRole("heading", { name: "No templates yet" })).toBeVisible();
  });
});

test("everything of a workspace is had as one archive, a notice says so, and first steps can be closed", async ({
  page,
  account: { slug },
}) => {
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await expect(page.getByRole("heading", { name: "Get started" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close “Get started”" }).click();
  await expect(page.getByRole("heading", { name: "Get started" })).toHaveCount(0);
  await page.goto(`/app/${slug}/settings/export`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Start export" }).click();
  const file = page.getByRole("link", { name: "Download" });
  await expect(file).toBeVisible({ timeout: 120_000 });
  await expectAccessible(page);
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^fuxi-${slug}-.*\\.zip$`));
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await expect(page.getByRole("heading", { name: "Get started" })).toHaveCount(0);
  await page.getByRole("button", { name: "Notifications, 1 new" }).click();
  await expect(page.getByText("The workspace export is ready.")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
});
