import { expect } from "@playwright/test";
import { openApi } from "../test/http-client.ts";
import { expectAccessible, openDestination, signUp, test, visit } from "./journey.ts";

test("from sign-up to a chart", async ({ page, browser, context }) => {
  const destination = await openDestination("You have arrived");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);

  await page.goto("/");
  await expectAccessible(page);
  await signUp(page, undefined, expectAccessible);

  await test.step("create a link and copy it", async () => {
    await expect(page.getByRole("heading", { name: "Create your first short link" })).toBeVisible();
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
      await expect(page.getByRole("img", { name: /1 click, 1 visitor/ })).toBeVisible();
    }).toPass();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Table" }).click();
    const today = page.getByRole("table").getByRole("row").nth(1);
    await expect(today.getByRole("cell").nth(1)).toHaveText("1");
    await expectAccessible(page);
  });

  destination.server.close();
});

test("an API key is made, makes a link that is visited, and is refused once it is revoked", async ({
  page,
  browser,
  workspace,
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
      await expect(row).toContainText("1 click");
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
