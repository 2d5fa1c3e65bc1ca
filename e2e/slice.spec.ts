import { expect } from "@playwright/test";
import { openApi } from "../test/http-client.ts";
import { turnIntoDemo } from "../test/workspaces.ts";
import {
  createWorkspace,
  expectAccessible,
  openDestination,
  signUp,
  soon,
  test,
  untilAlive,
  visit,
} from "./journey.ts";

test("from sign-up to a chart", async ({ page, browser, context }) => {
  const destination = await openDestination("You have arrived");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);

  await page.goto("/");
  await expectAccessible(page);
  await signUp(page, undefined, expectAccessible);

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
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create link" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    await dialog.getByLabel("Destination").fill(destination.url);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create link" }).click();
    const ready = page.getByRole("dialog", { name: "Your link is ready" });
    const shortLink = await ready.getByLabel("Short link").inputValue();
    await ready.getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortLink);
    await ready.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("main").getByRole("img", { name: "Done" })).toHaveCount(1);
    await visit(browser, shortLink, "You have arrived");
  });

  await test.step("see the click in the chart", async () => {
    const row = page.getByRole("list", { name: "Links" }).getByRole("listitem").first();
    await expect(row).toContainText("127.0.0.1");
    await expectAccessible(page);
    await row.getByRole("link").first().click();
    await page.waitForURL("**/links/link_*");
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("img", { name: /1 click, 1 visitor/ })).toBeVisible(soon);
    }).toPass();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Table" }).click();
    const today = page.getByRole("table").getByRole("row").nth(1);
    await expect(today.getByRole("cell").nth(1)).toHaveText("1");
    await expectAccessible(page);
  });

  destination.server.close();
});

test("the demo stays apart from a person’s own links, and is removed in one click", async ({
  page,
}) => {
  const { slug: demo } = await signUp(page);
  await turnIntoDemo(demo);

  await test.step("their own workspace comes first, and its link is created there", async () => {
    await page.goto(`/app/${demo}/links`);
    await expect(page.getByRole("heading", { name: "This is a demo" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Get started" })).toBeHidden();
    await expectAccessible(page);
    await page.goto("/");
    await page.getByLabel("Destination").fill("https://example.com/first");
    await page.getByRole("button", { name: "Shorten" }).click();
    await page.waitForURL("**/app/new");
    await expect(page.getByRole("link", { name: "Look around in the demo first" })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`/app/${demo}/links`);
    await untilAlive(page);
    await page.getByRole("link", { name: "Create your workspace" }).click();
    await page.waitForURL("**/app/new");
  });

  const { slug } = await createWorkspace(page);
  const ready = page.getByRole("dialog", { name: "Your link is ready" });
  await expect(ready).toContainText("example.com/first");
  await ready.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("list", { name: "Links" }).getByRole("checkbox")).toHaveCount(1);
  await page.goto(`/app/${demo}/links`);
  await expect(page.getByRole("heading", { name: "Create your first short link" })).toBeVisible();

  await test.step("it is removed after a confirmation, and nothing else", async () => {
    await untilAlive(page);
    await page.getByRole("button", { name: "Remove demo" }).click();
    const warning = page.getByRole("alertdialog", { name: "Remove the demo?" });
    await expect(warning).toContainText("You can restore the demo for 30 days.");
    await expectAccessible(page);
    await warning.getByRole("button", { name: "Remove demo" }).click();
    await page.waitForURL(`**/app/${slug}/links`);
    await expect(page.getByRole("list", { name: "Links" }).getByRole("checkbox")).toHaveCount(1);
    expect((await page.goto(`/app/${demo}/links`))?.status()).toBe(404);
  });
});

test("an API key is made, makes a link that is visited, and is refused once it is revoked", async ({
  page,
  browser,
  openWorkspace: workspace,
}) => {
  const destination = await openDestination("You have arrived");
  await expect(page).toHaveURL(`/app/${workspace.slug}/links`);
  await page.getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("heading", { name: "No API keys yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("newsletter server");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const created = await page.getByLabel("API key “newsletter server”").inputValue();
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(page.getByRole("row", { name: /newsletter server/ })).toBeVisible();
  await expectAccessible(page);
  const call = openApi(page.url(), created);
  const createOverApi = () =>
    call("POST", "/links", { url: destination.url, title: "Made by a program" });

  await test.step("do the same over the API", async () => {
    const answer = await createOverApi();
    expect(answer.status).toBe(200);
    await visit(browser, answer.body.shortLink, "You have arrived");
    await page.getByRole("link", { name: "Links", exact: true }).click();
    await page.waitForURL("**/links");
    await expect(async () => {
      await page.reload();
      const row = page.getByRole("listitem").filter({ hasText: "Made by a program" });
      await expect(row).toContainText("1 click", soon);
    }).toPass();
  });

  await test.step("revoke the key, which is then refused", async () => {
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Revoke newsletter server" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByRole("heading", { name: "No API keys yet" })).toBeVisible();
    await expect.poll(async () => (await createOverApi()).status).toBe(401);
  });

  destination.server.close();
});

test("one signs out, and in again", async ({ page }) => {
  const { email, password, slug } = await signUp(page);
  await page.getByRole("button", { name: "Account: Ada Byron" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await page.goto(`/app/${slug}`);
  await page.waitForURL("**/signin?next=*");
  await expectAccessible(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "Incorrect email or password" }),
  ).toBeVisible();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/app/${slug}/links`);
});
