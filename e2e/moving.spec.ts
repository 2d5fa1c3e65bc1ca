/** Moving from Shlink: a local server that follows its REST API (test/other-systems.ts). */
import { expect } from "@playwright/test";
import { goodToken, startSystem } from "../test/other-systems.ts";
import { expectAccessible, expectFitsPhone, siteOrigin, test, untilAlive } from "./journey.ts";

const count = 60;

test("links of another system are read, reviewed, imported and undone", async ({
  page,
  request,
  workspace: { slug },
}) => {
  const word = slug.slice(-6).toLowerCase();
  // The domain of the instance is shared by all tests.
  const extras = { 1: { hasRedirectRules: true } };
  const server = await startSystem("shlink", "old.example", count, extras, word);
  server.failures = [{ status: 429, headers: { "retry-after": "1" }, body: "{}" }];
  let shortLink = "";
  try {
    await test.step("a wrong token is refused with what to do", async () => {
      await page.goto(`/app/${slug}/imports`);
      await page.getByRole("link", { name: "Move from another service" }).click();
      await page.waitForURL("**/imports/move");
      await untilAlive(page);
      await page.getByRole("combobox", { name: "Service" }).click();
      await page.getByRole("option", { name: "Shlink" }).click();
      await page.getByLabel("Server URL").fill(server.address);
      await page.getByLabel("API token").fill("expired");
      await page.getByRole("button", { name: "Read links" }).click();
      await page.waitForURL("**/imports/move/impr_*");
      await expect(page.getByText("Shlink refused the token.")).toBeVisible({ timeout: 120_000 });
      await expectAccessible(page);
    });

    await test.step("links are read while the page shows how far it is", async () => {
      await page.getByRole("link", { name: "Start again" }).click();
      await page.waitForURL("**/imports/move");
      await untilAlive(page);
      await page.getByRole("combobox", { name: "Service" }).click();
      await page.getByRole("option", { name: "Shlink" }).click();
      await page.getByLabel("Server URL").fill(server.address);
      await page.getByLabel("API token").fill(goodToken);
      let open = () => {};
      server.gate = new Promise((resolve) => {
        open = resolve;
      });
      await page.getByRole("button", { name: "Read links" }).click();
      await page.waitForURL("**/imports/move/impr_*");
      await expect(page.getByRole("progressbar")).toBeVisible();
      server.gate = undefined;
      open();
      await page.waitForURL("**/imports/imp_*", { timeout: 120_000 });
    });

    await test.step("what will not come along, and why, is shown before anything is made", async () => {
      await expect(page.getByText("Redirect rule: 1 link")).toBeVisible();
      const domain = page.getByRole("combobox", { name: `old.example (${count} rows)` });
      await domain.click();
      await page.getByRole("option", { name: "Skip these rows" }).click();
      await expect(page.getByText(`${count} links: the domain is skipped`)).toBeVisible();
      await expect(page.getByRole("button", { name: "No links to create" })).toBeDisabled();
      await domain.click();
      await page.getByRole("option", { name: /^Use / }).first().click();
      await expect(page.getByText("No problems found in these rows.")).toBeVisible();
      await expectAccessible(page);
      await expectFitsPhone(page);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    await test.step("they become links that keep what they were", async () => {
      await page.getByRole("button", { name: `Create ${count} links` }).click();
      await expect(page.getByRole("heading", { name: "Done" })).toBeVisible({ timeout: 120_000 });
      const headers = { Origin: siteOrigin, "X-Fuxi-Workspace": slug };
      const found = await page.request.get(`/api/links/info?domain=localhost&key=${word}-2`, {
        headers,
      });
      const link = await found.json();
      expect(link).toMatchObject({
        clicks: 0,
        origin: { system: "shlink", shortLink: `old.example/${word}-2`, clicks: 6 },
      });
      shortLink = link.shortLink;
      expect((await request.get(shortLink, { maxRedirects: 0 })).status()).toBe(302);
      const here = page.url();
      await page.goto(`/app/${slug}/links/${link.id}`);
      await expect(page.getByText("6 clicks, not included in the stats")).toBeVisible();
      await page.goto(here);
    });

    await test.step("the import can be undone", async () => {
      await untilAlive(page);
      await page.getByRole("button", { name: "Undo import" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Undo import" }).click();
      await expect
        .poll(async () => (await request.get(shortLink, { maxRedirects: 0 })).status(), {
          timeout: 120_000,
        })
        .toBe(404);
    });
  } finally {
    await server.close();
  }
});
