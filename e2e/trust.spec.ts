/** Abuse: a visitor reports a link, an administrator bans it, its owner appeals, and the ban is lifted. */
import { randomUUID } from "node:crypto";
import { type Browser, expect, type Page } from "@playwright/test";
import { giveAccount, giveOperator } from "../test/workspaces.ts";
import {
  expectAccessible,
  expectFitsPhone,
  siteOrigin,
  soon,
  test,
  untilAlive,
} from "./journey.ts";

const destination = `https://www.bad-${randomUUID().slice(0, 8)}.example/page`;
const host = new URL(destination).hostname;

async function openVisitor(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({ locale, javaScriptEnabled: false });
  return await context.newPage();
}

/** An administrator with a second factor, signed in in a browser of their own. */
async function openOffice(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: siteOrigin });
  const { email, cookie } = await giveAccount();
  await giveOperator(email);
  await context.addCookies([cookie]);
  return await context.newPage();
}

test("a reported link is banned, its owner appeals, and the ban is lifted", async ({
  page,
  browser,
  workspace: { make, slug },
}) => {
  const { shortLink } = await make<{ shortLink: string }>("/links", { url: destination });
  const visitor = await openVisitor(browser, "en-GB");
  await visitor.goto(`${shortLink}+`);
  await visitor.getByRole("link", { name: "Report this link" }).click();
  await expect(visitor.getByLabel("Short link")).toHaveValue(shortLink.replace(/^https?:\/\//, ""));
  await visitor.getByLabel("Reason").selectOption("malware");
  await visitor.getByLabel("Details (optional)").fill("It installs a program");
  await expectFitsPhone(visitor);
  await visitor.getByRole("button", { name: "Send report" }).click();
  await expect(visitor.getByRole("heading", { name: "Thank you for your report" })).toBeVisible();

  const office = await openOffice(browser);
  await office.goto("/admin/reports");
  await untilAlive(office);
  const card = office.getByRole("listitem").filter({ hasText: shortLink });
  await expect(card.getByText(destination)).toBeVisible();
  await expect(card.getByText("It installs a program")).toBeVisible();
  await expectAccessible(office);
  await card.getByLabel("Action").click();
  await office.getByRole("option", { name: "Ban destination host" }).click();
  await card.getByRole("button", { name: `Decide on ${shortLink}` }).click();
  await expect(card.getByText("Enter a reason of 3 to 500 characters.")).toBeVisible();
  await card.getByRole("textbox").fill("Distributes harmful software");
  await card.getByRole("button", { name: `Decide on ${shortLink}` }).click();
  await expect(card).toBeHidden();

  const statusOf = async () => (await page.request.get(shortLink, { maxRedirects: 0 })).status();
  await expect.poll(statusOf).toBe(451);
  await visitor.goto(shortLink);
  await expect(visitor.getByText("it distributed harmful software")).toBeVisible();
  const headers = { "Accept-Language": "zh-CN" };
  const chinese = await page.request.get(shortLink, { headers, maxRedirects: 0 });
  expect(await chinese.text()).toContain("链接已被停用");

  // A job writes the notice.
  await expect(async () => {
    await page.goto(`/app/${slug}/links`);
    await untilAlive(page);
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("link", { name: /An administrator banned the destination/ }).click(soon);
    await page.waitForURL(/\/appeal\?token=/, { timeout: 20_000 });
  }).toPass();
  await expect(page.getByText("Distributes harmful software")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Your appeal").fill("This is the download page of my own program.");
  await page.getByRole("button", { name: "Send appeal" }).click();
  await expect(page.getByRole("status")).toHaveText(/Your appeal was sent/);

  await office.goto("/admin/bans");
  await untilAlive(office);
  const appeal = office.getByRole("listitem").filter({ hasText: "of my own program" });
  await expect(appeal).toContainText(host);
  await expectAccessible(office);
  await appeal.getByLabel("Decision", { exact: true }).click();
  await office.getByRole("option", { name: "Accept and lift ban" }).click();
  await appeal.getByLabel("Reason for the decision").fill("Checked: it’s harmless");
  await appeal.getByRole("button", { name: `Save decision about ${host}` }).click();
  await expect(appeal).toBeHidden();
  await expect.poll(statusOf).toBe(302);
});

test("an administrator bans a workspace, whose members see why and can export, and lifts the ban", async ({
  page,
  browser,
  workspace: { slug },
}) => {
  const office = await openOffice(browser);
  await office.goto(`/admin/bans?kind=workspace&subject=${slug}`);
  await untilAlive(office);
  await office.getByRole("textbox", { name: "Reason" }).fill("Only links to fake shops");
  await office.getByRole("button", { name: "Ban", exact: true }).click();
  const row = office.getByRole("listitem").filter({ hasText: "Only links to fake shops" });
  await expect(row).toBeVisible();
  await page.goto(`/app/${slug}/links`);
  await expect(page.getByText("This workspace is banned")).toBeVisible();
  await expect(page.getByText("Only links to fake shops")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Export workspace", exact: true }).click();
  await expect(page.getByRole("button", { name: "Start export" })).toBeVisible();
  await row.getByRole("button", { name: /^Lift ban on/ }).click();
  const dialog = office.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("The shops are real");
  await dialog.getByRole("button", { name: "Lift ban" }).click();
  // While the dialog is open, the page behind it is hidden too.
  await expect(dialog).toBeHidden();
  await expect(row).toBeHidden();
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await expect(page.getByText("This workspace is banned")).toBeHidden();
});
