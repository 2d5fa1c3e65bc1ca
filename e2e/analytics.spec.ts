import { expect, type Page } from "@playwright/test";
import { expectAccessible, openDestination, signUp, test, visit } from "./person.ts";

/** Makes a link over the API, as the person who is signed in. */
async function makeLink(page: Page, slug: string, url: string, key: string): Promise<string> {
  const answer = await page.request.post("/api/links", {
    headers: { Origin: new URL(page.url()).origin, "X-Fuxi-Workspace": slug },
    data: { url, key },
  });
  expect(answer.status()).toBe(200);
  const { shortLink }: { shortLink: string } = await answer.json();
  return shortLink;
}

test("a click is seen live within two seconds", async ({ page, browser }) => {
  const destination = await openDestination("Arrived");
  const { slug } = await signUp(page);
  const key = `one-${slug.slice(-8)}`;
  const shortLink = await makeLink(page, slug, destination.url, key);
  await page.goto(`/app/${slug}/analytics`);
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible();
  await expectAccessible(page);
  await visit(browser, shortLink, "Arrived");
  const latest = page.getByRole("list", { name: "Latest clicks" });
  await expect(latest.getByText(key)).toBeVisible({ timeout: 2_000 });
  await expectAccessible(page);
  destination.server.close();
});

test("a share opens without an account, and is gone once it is revoked", async ({
  page,
  browser,
}) => {
  test.slow();
  const destination = await openDestination("Arrived");
  const { slug } = await signUp(page);
  const shortLink = await makeLink(page, slug, destination.url, `shared-${slug.slice(-8)}`);
  await visit(browser, shortLink, "Arrived");
  await page.goto(`/app/${slug}/analytics`);
  await page.getByRole("button", { name: "Share" }).click();
  const sheet = page.getByRole("dialog", { name: "Share these numbers" });
  await sheet.getByLabel("Name").fill("For the board");
  await sheet.getByRole("checkbox", { name: "Links" }).uncheck();
  await sheet.getByLabel("Password").fill("correct horse");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Create address" }).click();
  const address = await sheet.getByLabel("Address of “For the board”").inputValue();
  await expect(sheet.getByRole("row", { name: /For the board/ })).toBeVisible();

  const elsewhere = await browser.newContext({ colorScheme: "dark" });
  const guest = await elsewhere.newPage();
  await test.step("a guest gives the password and sees what was chosen", async () => {
    await guest.goto(address);
    await expect(guest.getByRole("heading", { name: "This page has a password" })).toBeVisible();
    await expect(guest.getByText("For the board")).toBeHidden();
    await expectAccessible(guest);
    await guest.getByLabel("Password").fill("wrong horse");
    await guest.getByRole("button", { name: "Show the numbers" }).click();
    await expect(guest.getByText("This is not the password.")).toBeVisible();
    await guest.getByLabel("Password").fill("correct horse");
    await guest.getByRole("button", { name: "Show the numbers" }).click();
    await expect(guest.getByRole("heading", { name: "For the board" })).toBeVisible();
    await expect(guest.getByRole("heading", { name: "Sources" })).toBeVisible();
    await expect(guest.getByRole("heading", { name: "Links" })).toBeHidden();
    await expect(guest.getByRole("heading", { name: "Latest clicks" })).toBeHidden();
    await expectAccessible(guest);
  });

  await test.step("revoked, it is gone", async () => {
    await sheet.getByRole("button", { name: "Revoke For the board" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await expect(sheet.getByText("Nothing is shared.")).toBeVisible();
    expect((await guest.goto(address))?.status()).toBe(404);
  });
  await elsewhere.close();
  destination.server.close();
});

test.describe("on a phone, in Chinese and dark", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    colorScheme: "dark",
  });

  test("the page fits and speaks the language", async ({ page, context }) => {
    const { slug } = await signUp(page);
    await context.addCookies([{ name: "locale", value: "zh", url: page.url() }]);
    await page.goto(`/app/${slug}/analytics?country=DE`);
    await expect(page.getByText("国家或地区为 德国")).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
