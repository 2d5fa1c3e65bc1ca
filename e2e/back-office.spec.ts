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
    "Turn on two-factor authentication or add a passkey",
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

test("an administrator finds a link by its host and turns it off, and lists lead to workspaces and people", async ({
  page,
  browser,
  person,
  workspace: { slug, make },
}) => {
  const host = `${slug}.evil.example`;
  const link = await make<{ shortLink: string }>("/links", { url: `https://${host}/login` });
  const short = link.shortLink.replace(/^https?:\/\//, "");
  const context = await browser.newContext({ baseURL: siteOrigin });
  const office = await context.newPage();
  await enterOffice(office, `list-${slug}`);
  await office.goto("/admin");
  await untilAlive(office);
  const counted = office.getByRole("region", { name: "At a glance" });
  await expect(counted.locator("a[href='/admin/people']")).toHaveText(/\d/);
  await counted.locator("a[href='/admin/links']").click();
  await expect(office.getByRole("heading", { level: 1, name: "Links" })).toBeVisible();
  await office.getByLabel("Destination").fill(host);
  await office.getByRole("button", { name: "Filter" }).click();
  const row = office.getByRole("list", { name: "Links" }).getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expectAccessible(office);
  await row.getByRole("button", { name: `Turn off ${short}` }).click();
  const dialog = office.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Phishing page");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(row.getByText("Turned off")).toBeVisible();
  await expectFitsPhone(office);
  await row.getByRole("link", { name: `Ban host: ${short}` }).click();
  await expect(office.getByLabel("What to ban")).toHaveValue(host);

  await office.goto("/admin/workspaces");
  await untilAlive(office);
  await office.getByLabel("Name or workspace URL").fill(slug.slice(1));
  await office.getByRole("button", { name: "Filter" }).click();
  await expect(office.getByRole("status")).toHaveText("1 workspace");
  await expectAccessible(office);
  await expectFitsPhone(office);
  await office.getByRole("cell", { name: "Acme" }).getByRole("link").click();
  await expect(office.getByRole("heading", { level: 2, name: "API keys" })).toBeVisible();

  await office.goto("/admin/people");
  await untilAlive(office);
  await office.getByLabel("Name or email address").fill(person.email);
  await office.getByRole("button", { name: "Filter" }).click();
  await expectAccessible(office);
  await expectFitsPhone(office);
  await office.getByRole("link", { name: person.email }).click();
  await expect(office.getByRole("heading", { level: 2, name: "Sessions" })).toBeVisible();

  await office.goto("/admin/usage");
  await expect(office.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  await expectAccessible(office);
  await expect(office.locator("a[href^='/admin/workspaces?from=']")).toHaveText(/\d/);
  await office.goto(`/admin/plans?workspace=${slug}`);
  await expectAccessible(office);
  await expectFitsPhone(office);
  await office.getByRole("link", { name: "Change to Personal" }).click();
  await expect(office.getByRole("combobox", { name: "Plan" })).toHaveText("Personal");
  await context.close();

  await page.goto(`/app/${slug}/settings/audit`);
  await expect(
    page.getByRole("list", { name: "Audit log" }).getByText(/^Administrator .* turned off/),
  ).toBeVisible();
});
