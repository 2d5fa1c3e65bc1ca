import { expect } from "@playwright/test";
import { giveWorkspace, turnIntoDemo } from "../test/workspaces.ts";
import {
  expectAccessible,
  openDestination,
  signIn,
  signUp,
  test,
  untilAlive,
  untilCounted,
  visit,
} from "./journey.ts";
import { noticeIn, shortLinkIn } from "./link-form.ts";

test("from sign-up to a chart", async ({ page, browser, context }) => {
  const destination = await openDestination("You have arrived");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);

  const { slug } = await signUp(page);

  await test.step("create a link and copy it", async () => {
    await expect(page.getByRole("heading", { name: "Create your first short link" })).toBeVisible();
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "Import links" })).toHaveAttribute(
      "href",
      /\/imports$/,
    );
    await expect(main.getByRole("link", { name: "Add a domain" })).toHaveAttribute(
      "href",
      /\/domains$/,
    );
    await expect(main.getByRole("img", { name: "To do" })).toHaveCount(3);
    await page.getByRole("button", { name: "Create link" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    await dialog.getByLabel("Destination").fill(destination.url);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create link" }).click();
    const ready = noticeIn(page);
    const shortLink = await shortLinkIn(ready);
    await ready.getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortLink);
    await expect(page.getByRole("main").getByRole("img", { name: "Done" })).toHaveCount(1);
    await visit(browser, shortLink, "You have arrived");
  });

  await test.step("see the click in the chart", async () => {
    await untilCounted(page, slug, 1);
    const row = page.getByRole("list", { name: "Links" }).getByRole("listitem").first();
    await expect(row).toContainText("127.0.0.1");
    await row.getByRole("link").first().click();
    await page.waitForURL("**/links/link_*");
    await expect(page.getByRole("img", { name: /1 click, 1 visitor/ })).toBeVisible();
    await page.getByRole("tab", { name: "Table" }).click();
    const today = page.getByRole("table").getByRole("row").nth(1);
    await expect(today.getByRole("cell").nth(1)).toHaveText("1");
    await expectAccessible(page);
  });

  destination.server.close();
});

test("the demo stays apart from a person’s own links, and is removed in one click", async ({
  page,
  account: { slug: demo, userId },
}) => {
  await turnIntoDemo(demo);
  await page.goto(`/app/${demo}/links`);
  await untilAlive(page);
  await expect(page.getByRole("heading", { name: "This is a demo" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Get started" })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create your workspace" }).click();
  await page.waitForURL("**/app/new");
  await expect(page.getByRole("link", { name: "Look around in the demo first" })).toBeVisible();

  const slug = await giveWorkspace(userId);
  await page.goto(`/app/${demo}/links`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Remove demo" }).click();
  const warning = page.getByRole("alertdialog", { name: "Remove the demo?" });
  await expect(warning).toContainText("You can restore the demo for 30 days.");
  await warning.getByRole("button", { name: "Remove demo" }).click();
  await page.waitForURL(`**/app/${slug}/links`);
  expect((await page.request.get(`/app/${demo}/links`)).status()).toBe(404);
});

test("one signs out, and in again", async ({ page, account }) => {
  const { email, password, slug } = account;
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Account: Ada Byron" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await page.goto(`/app/${slug}`);
  await page.waitForURL("**/signin?next=*");
  await untilAlive(page);
  await signIn(page, { email, password: "not the password" });
  await expect(
    page.getByRole("alert").filter({ hasText: "Incorrect email or password" }),
  ).toBeVisible();
  await expectAccessible(page);
  await signIn(page, { email, password });
  await page.waitForURL(`**/app/${slug}/links`);
});
