/** From a click to a sale: a site with the script, and what a workspace sees of it. */
import { createServer } from "node:http";
import { expect, type Page } from "@playwright/test";
import { desktopAgent, expectAccessible, test, untilAlive } from "./journey.ts";

/** A shop whose pages have the script. */
async function openShop(script: string) {
  const server = createServer((_req, res) => {
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${script}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, server };
}

/** Runs a call of the script on the page of the shop. */
function report(shop: Page, call: string): Promise<unknown> {
  return shop.evaluate(`fuxi.${call}.then(() => "recorded", (error) => error.message)`);
}

const funnel = (page: Page) => page.getByRole("list", { name: "From clicks to sales" });

test("a click becomes a lead and a sale, on the link, in analytics, in a share and in an export", async ({
  page,
  browser,
  baseURL,
  workspace: { slug, make },
}) => {
  let script = "";

  await test.step("an owner creates the public key of the shop", async () => {
    await page.goto(`/app/${slug}/settings/public-keys`);
    await untilAlive(page);
    await expect(page.getByText("No public keys yet")).toBeVisible();
    await page.getByRole("button", { name: "Create public key" }).click();
    const dialog = page.getByRole("dialog", { name: "Create public key" });
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByLabel("Hosts").fill("https://shop.example");
    await dialog.getByRole("button", { name: "Create public key" }).click();
    await expect(dialog.getByText("Enter 1 to 20 hosts")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("Hosts").fill("127.0.0.1");
    await dialog.getByRole("button", { name: "Create public key" }).click();
    await expect(page.getByRole("heading", { name: "Shop" })).toBeVisible();
    script = ((await page.locator("code").textContent()) ?? "").trim();
    expect(script).toContain(`${baseURL}/api/track/script.js`);
  });

  const site = await openShop(script);
  const link = await make<{ id: string; shortLink: string }>("/links", {
    url: site.url,
    key: `sold-${slug.slice(-8)}`,
    trackConversion: true,
  });
  const visitor = await browser.newContext({ userAgent: desktopAgent });
  const shop = await visitor.newPage();

  await test.step("the script keeps nothing before the visitor agrees", async () => {
    await shop.goto(link.shortLink);
    expect(shop.url()).toContain("?dub_id=");
    await shop.waitForFunction("window.fuxi");
    expect(await visitor.cookies(site.url)).toEqual([]);
    await shop.evaluate("fuxi.consent(true)");
    await expect
      .poll(() => visitor.cookies(site.url))
      .toMatchObject([{ name: "dub_id", sameSite: "Lax" }]);
    await shop.goto(`${site.url}?page=2`);
    await shop.waitForFunction("window.fuxi");
    expect(await shop.evaluate("fuxi.clickId")).toBe("");
    await shop.evaluate("fuxi.consent(true)");
    expect(await shop.evaluate("fuxi.clickId")).toMatch(/^\d{13}-/);
  });

  await test.step("the site reports a lead and a sale, and another site nothing", async () => {
    const lead = `lead({ eventName: "Sign up", customerExternalId: "user-1" })`;
    expect(await report(shop, lead)).toBe("recorded");
    const sale = `sale({ customerExternalId: "user-1", amount: 700, invoiceId: "site-1" })`;
    expect(await report(shop, sale)).toBe("recorded");
    await shop.goto(site.url.replace("127.0.0.1", "localhost"));
    await shop.waitForFunction("window.fuxi");
    expect(await report(shop, sale)).toContain("doesn’t accept requests from this site");
    await visitor.close();
  });

  await make("/track/sale", {
    customerExternalId: "user-1",
    amount: 1_580,
    currency: "USD",
    invoiceId: "server-1",
  });

  await test.step("analytics and the link show the verified sale, and the other one apart", async () => {
    for (const path of [`/app/${slug}/links/${link.id}`, `/app/${slug}/analytics`]) {
      await page.goto(path);
      await expect(funnel(page).getByRole("listitem")).toHaveText([
        /Clicks\s*1\s*$/,
        /Leads\s*1 100% of clicks/,
        /Sales\s*1 100% of clicks/,
      ]);
      await expect(page.getByText("$15.80").first()).toBeVisible();
      await expect(page.getByText("1 sale for $7.00, reported with a public key")).toBeVisible();
    }
    await expectAccessible(page);
  });

  await test.step("goals are counted by event name, and one filters the funnel", async () => {
    const goals = page.getByRole("table", { name: "Goals: leads and sales by event name" });
    await expect(goals.getByRole("row")).toHaveText([
      /Goal/,
      /Purchase\s*1\s*100%\s*\$15\.80/,
      /Sign up\s*1\s*100%/,
    ]);
    await goals.getByRole("button", { name: "Filter by Sign up" }).click();
    await expect(page).toHaveURL(/eventName=Sign/);
    await expect(funnel(page).getByRole("listitem").last()).toHaveText(/Sales\s*0/);
    await expect(page.getByText("Goal is Sign up")).toBeVisible();
  });

  await test.step("the customer has a page with a timeline, and is found by the external ID", async () => {
    await page.goto(`/app/${slug}/customers`);
    await untilAlive(page);
    await page.getByLabel("Search by external ID").fill("user-2");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("No customer has this external ID")).toBeVisible();
    await page.getByLabel("Search by external ID").fill("user-1");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("One customer found.")).toBeVisible();
    await page.getByRole("link", { name: "user-1" }).click();
    const timeline = page.getByRole("list", { name: "Timeline" });
    await expect(timeline.getByRole("listitem")).toHaveText([
      /Sale\s*Purchase\s*\$15\.80/,
      /Sale\s*Purchase\s*\$7\.00\s*Unverified/,
      /Lead\s*Sign up\s*Unverified/,
      /Became a customer/,
    ]);
    await expectAccessible(page);
  });

  await test.step("a share shows them only where it was chosen", async () => {
    await page.goto(`/app/${slug}/analytics`);
    await untilAlive(page);
    const sheet = page.getByRole("dialog", { name: "Share analytics" });
    const share = async (name: string, hasSales: boolean) => {
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await sheet.getByLabel("Name").fill(name);
      if (hasSales) await sheet.getByRole("checkbox", { name: "Leads and sales" }).check();
      await sheet.getByRole("button", { name: "Create share link" }).click();
      const address = await sheet.getByLabel(`Share link for “${name}”`).inputValue();
      await page.keyboard.press("Escape");
      await expect(sheet).toBeHidden();
      return address;
    };
    const plain = await share("Plain", false);
    const full = await share("With sales", true);
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(full);
    await expect(funnel(guest).getByRole("listitem").last()).toHaveText(/Sales\s*1/);
    await expect(guest.getByText("public key")).toBeHidden();
    await guest.goto(plain);
    await expect(guest.getByRole("heading", { name: "Plain" })).toBeVisible();
    await expect(funnel(guest)).toBeHidden();
    const asked = await guest.request.get(`${plain}/analytics?event=sales`);
    expect(asked.status()).toBe(403);
    await guest.context().close();
  });

  await test.step("the export has them", async () => {
    const query = `event=composite&groupBy=top_links&workspace=${slug}`;
    const csv = await (await page.request.get(`/api/analytics/export?${query}`)).text();
    expect(csv).toMatch(/clicks,leads,sales,saleAmount\r?\n.*,1,1,1,1580/);
  });

  await test.step("a customer is erased, and what they did stays counted", async () => {
    await page.goto(`/app/${slug}/customers`);
    await page.getByRole("link", { name: "user-1" }).click();
    await untilAlive(page);
    await page.getByRole("button", { name: "Erase customer" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Erase user-1?" });
    await dialog.getByRole("button", { name: "Erase data" }).click();
    await expect(page.getByText("No customers yet")).toBeVisible();
    await page.goto(`/app/${slug}/analytics`);
    await expect(funnel(page).getByRole("listitem").last()).toHaveText(/Sales\s*1/);
  });
  site.server.close();
});
