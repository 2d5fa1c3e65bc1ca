import { expect, type Page } from "@playwright/test";
import { operatorCookie } from "../test/plans.ts";
import { giveAccount, makeOperator, makePlain } from "../test/workspaces.ts";
import { expectAccessible, expectFitsPhone, siteOrigin, test, untilAlive } from "./journey.ts";

/** Signs an administrator with a second factor in. */
async function enterOffice(page: Page, name: string): Promise<void> {
  const [cookie = "", value = ""] = (await operatorCookie(name)).split("=");
  await page.context().addCookies([{ name: cookie, value, url: siteOrigin }]);
}

test("an administrator with a second factor finds a link by its code; the owner sees it, others get 404", async ({
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
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text()).not.toContain("Back office");
  }

  const context = await browser.newContext({ baseURL: siteOrigin });
  const office = await context.newPage();
  const { cookie, email } = await giveAccount();
  await makeOperator(email);
  await context.addCookies([cookie]);
  await office.goto("/admin");
  await expect(office.getByRole("heading", { level: 1 })).toHaveText(
    "Turn on two-factor authentication",
  );
  await expect(office.getByRole("link", { name: "Open security settings" })).toBeVisible();
  await expectAccessible(office);

  await enterOffice(office, `op-${slug}`);
  await office.goto("/admin");
  await expect(office.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await untilAlive(office);
  await office.getByRole("link", { name: "Search", exact: true }).click();
  await office.getByLabel("Short link, slug").fill(link.key);
  await office.getByRole("button", { name: "Search" }).click();
  await expect(office.getByRole("cell", { name: "In use" })).toBeVisible();
  await expectAccessible(office);
  await office.getByRole("link", { name: link.shortLink.replace(/^https?:\/\//, "") }).click();
  await expect(office.getByText("https://example.com/searched")).toBeVisible();
  await expectAccessible(office);
  await office.getByRole("link", { name: "Acme" }).click();
  await expect(office.getByRole("heading", { level: 2, name: "API keys" })).toBeVisible();
  await expectAccessible(office);
  await office.getByRole("link", { name: "Ada Byron" }).first().click();
  await expect(office.getByRole("heading", { level: 2, name: "Sessions" })).toBeVisible();
  await office.getByRole("button", { name: "Make administrator" }).click();
  await office.getByRole("dialog").getByRole("button", { name: "Make administrator" }).click();
  await expect(office.getByText("Enter a reason of 3 to 500 characters.")).toBeVisible();
  await expectAccessible(office);
  await office.keyboard.press("Escape");
  await expectFitsPhone(office);
  await office.getByRole("button", { name: "Open navigation" }).click();
  await office.getByRole("link", { name: "Overview" }).click();
  await expect(office.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await context.close();

  await page.goto(`/app/${slug}/settings/audit`);
  const log = page.getByRole("list", { name: "Audit log" });
  await expect(log.getByText(/^Administrator op-\S+ viewed/).first()).toBeVisible();
  await expect(log.getByText(/found this workspace in a search/)).toHaveCount(1);
});

test("a host that an administrator blocks is refused in the form of a link, by its name, until it is removed", async ({
  page,
  browser,
  openWorkspace: { slug },
}) => {
  const context = await browser.newContext({ baseURL: siteOrigin });
  const office = await context.newPage();
  await enterOffice(office, `block-${slug}`);
  await office.goto("/admin/lists");
  await untilAlive(office);
  const host = `${slug}.example`;
  const block = office.getByRole("region", { name: "Block list", exact: true });
  await block.getByLabel("Add entries").fill(host);
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByText("Enter a reason of 3 to 500 characters.")).toBeVisible();
  await block.getByLabel("Reason").fill("Phishing reported");
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByRole("listitem").filter({ hasText: host })).toBeVisible();
  await expectAccessible(office);

  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Destination").fill(`https://${host}/login`);
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByText(`${host} is on the block list of this instance.`)).toBeVisible();

  await block.getByLabel("Remove entries").fill(host);
  await block.getByLabel("Reason").fill("Cleared");
  await block.getByRole("button", { name: "Save block list" }).click();
  await expect(block.getByRole("listitem").filter({ hasText: host })).toHaveCount(0);
  await office.goto("/admin/audit");
  await expect(office.getByText("Reason: Phishing reported").first()).toBeVisible();
  await expectAccessible(office);
  await context.close();
});
