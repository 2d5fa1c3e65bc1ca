import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { timeBound } from "../test/bounds.ts";
import {
  click,
  expectAccessible,
  soon,
  test,
  untilAlive,
  untilCounted,
  type Workspace,
} from "./journey.ts";

function figure(page: Page, name: string) {
  return page
    .getByRole("region", { name: "Stats for this period" })
    .locator("div", { has: page.getByRole("term").filter({ hasText: name }) })
    .getByRole("definition")
    .first();
}

test("the analytics of an empty workspace say so, and a click is seen live within two seconds", async ({
  page,
  workspace: { slug, make },
}) => {
  const key = `live-${slug.slice(-8)}`;
  const { shortLink } = await make<{ shortLink: string }>("/links", {
    url: "https://example.com/",
    key,
  });
  const isLive = page.getByRole("status").filter({ hasText: "Live" });
  await page.goto(`/app/${slug}/analytics`);
  await expect(page.getByText("No clicks in this period")).toBeVisible();
  await expect(figure(page, "Clicks")).toHaveText("0");
  await expect(isLive).toBeVisible();
  const empty = page.getByRole("region", { name: "No data in this period" });
  await expect(empty.getByRole("button")).toHaveCount(6);
  await empty.getByRole("button", { name: "Show Locations" }).click();
  await expect(page.getByRole("heading", { name: "Locations" })).toBeVisible();
  await expect(empty.getByRole("button")).toHaveCount(5);

  await click(page, shortLink);
  const latest = page.getByRole("list", { name: "Latest clicks" });
  await expect(latest.getByText(key)).toBeVisible({ timeout: timeBound(2_000) });
  await expect(figure(page, "Clicks")).toHaveText("1");
  await page.goto(`/app/${slug}/analytics?device=-Desktop`);
  await expect(isLive).toBeVisible();
  await click(page, shortLink);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(latest.getByRole("listitem")).toHaveCount(2);
  await expect(figure(page, "Clicks")).toHaveText("2");
});

/** Two links of a workspace, one of them clicked twice. */
async function clickTwoLinks(page: Page, { slug, make }: Workspace) {
  const unique = slug.slice(-8);
  const links: string[] = [];
  for (const name of ["one", "two"]) {
    const body = { url: "https://example.com/", key: `${name}-${unique}` };
    links.push((await make<{ shortLink: string }>("/links", body)).shortLink);
  }
  const [one = "", two = ""] = links;
  for (const link of [one, one, two]) await click(page, link);
  await untilCounted(page, slug, 3);
  return { slug, one, unique };
}

test("figures and cards count what was clicked, a row filters everything, and the address keeps filters and period", async ({
  page,
  workspace,
}) => {
  const { slug, unique } = await clickTwoLinks(page, workspace);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/analytics?")) calls.push(request.url());
  });
  await page.goto(`/app/${slug}/analytics`);
  const filters = page.getByRole("list", { name: "Filters" });
  const links = page.getByRole("table", { name: "Links by clicks" });

  await test.step("all cards of clicks ask in two calls, and that of conversions in two more", async () => {
    await expect(figure(page, "Clicks")).toHaveText("3");
    await expect(links).toBeVisible();
    await expect(page.getByRole("button", { name: "Show Conversions" })).toBeVisible();
    const [clicks, conversions] = [false, true].map((are) =>
      calls.filter((address) => address.includes("event=") === are),
    );
    expect([clicks?.length, conversions?.length]).toEqual([2, 2]);
  });

  await test.step("figures and cards", async () => {
    const latest = page.getByRole("list", { name: "Latest clicks" });
    await expect(latest.getByRole("listitem")).toHaveCount(3);
    await expect(links.getByRole("row").nth(1)).toContainText(`one-${unique}`);
    await expect(links.getByRole("row").nth(1).getByRole("cell").last()).toHaveText("2");
    await expect(page.getByRole("img", { name: /Chart from .*: 3 clicks/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("a value is found with the button, and its filter is removed again", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("option", { name: "Device" }).click();
    await expect(page.getByRole("option", { name: "Desktop" })).toBeVisible();
    await expectAccessible(page);
    await page.getByPlaceholder("Search or type a value").fill("desk");
    await page.getByRole("option", { name: "Desktop" }).click();
    await expect(filters).toContainText("Device is Desktop");
    await expect(figure(page, "Clicks")).toHaveText("3");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(filters).toHaveCount(0);
  });

  await test.step("a table sorts by its columns", async () => {
    const first = links.getByRole("row").nth(1);
    await links.getByRole("button", { name: "Clicks", exact: true }).click();
    await expect(first).toContainText(`two-${unique}`);
    await links.getByRole("button", { name: "Links", exact: true }).click();
    await expect(first).toContainText(`one-${unique}`);
  });

  await test.step("a click on a row filters everything, and the address keeps it", async () => {
    await page.getByRole("button", { name: new RegExp(`Filter by .*two-${unique}`) }).click();
    await expect(figure(page, "Clicks")).toHaveText("1");
    await expect(filters).toContainText(`two-${unique}`);
    const filtered = page.url();
    expect(filtered).toContain("linkId=link_");
    await page.reload();
    await expect(figure(page, "Clicks")).toHaveText("1");
    await expect(filters).toContainText(`two-${unique}`);
    await page.getByRole("button", { name: /exclude instead/ }).click();
    await expect(figure(page, "Clicks")).toHaveText("2");
    await page.goBack();
    await expect(figure(page, "Clicks")).toHaveText("1");
    await page.goBack();
    await expect(figure(page, "Clicks")).toHaveText("3");
    await page.goForward();
    await expect(figure(page, "Clicks")).toHaveText("1");
    expect(page.url()).toBe(filtered);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(figure(page, "Clicks")).toHaveText("3");
  });

  await test.step("a period is chosen by name, and by two days from the keyboard", async () => {
    const period = page.getByRole("button", { name: /^Period/ });
    await period.click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Last 24 hours" }).click();
    await expect(page).toHaveURL(/interval=24h/);
    await expect(figure(page, "Clicks")).toHaveText("3");
    await period.click();
    await page.locator("[data-day][tabindex='0']").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/start=\d{4}-\d\d-\d\d&end=\d{4}-\d\d-\d\d/);
    await expect(figure(page, "Clicks")).toHaveText("3");
  });
});

test("the chart is compared, bucketed and annotated as chosen, the address keeps it, and tables are saved as files", async ({
  page,
  workspace,
}) => {
  const { one, slug } = await clickTwoLinks(page, workspace);
  const options = page.getByRole("button", { name: "Options" });
  await page.goto(`/app/${slug}/analytics?view=table&devices=browsers`);
  await untilAlive(page);
  await expect(page.getByRole("tab", { name: "Browsers" })).toHaveAttribute(
    "aria-selected",
    "true",
  );

  await test.step("a card is saved as a file, and all of them as an archive or a workbook", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export Links as CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("fuxi-top_links.csv");
    expect(await readFile(await file.path(), "utf8")).toContain(one);
    await options.click();
    for (const [format, name] of [
      ["CSV", "fuxi-analytics.zip"],
      ["Excel (.xlsx)", "fuxi-analytics.xlsx"],
    ] as const) {
      const all = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export all tables" }).click();
      await page.getByRole("menuitem", { name: format }).click();
      expect((await all).suggestedFilename()).toBe(name);
      expect(await (await all).failure()).toBeNull();
    }
  });

  await test.step("the comparison is there until it is switched off", async () => {
    const previous = page.getByRole("columnheader", {
      name: "Clicks (previous period)",
      includeHidden: true,
    });
    await expect(previous).toHaveCount(1);
    await expectAccessible(page);
    const compare = page.getByRole("combobox", { name: "Compare with" });
    await compare.click();
    await page.getByRole("option", { name: "No comparison" }).click();
    await expect(page).toHaveURL(/compare=off/);
    await expect(previous).toHaveCount(0);
    await page.keyboard.press("Escape");
  });

  await test.step("weeks, in another time zone, also after a reload", async () => {
    const table = page.getByRole("table", { name: "Table of clicks and visitors" });
    await expect(table.getByRole("row")).toHaveCount(31);
    await page.getByRole("combobox", { name: "Granularity" }).click();
    await page.getByRole("option", { name: "Weeks" }).click();
    await expect(page).toHaveURL(/granularity=week/);
    // The weeks, from Mondays, of thirty days up to today, and the head of the table.
    const first = new Date(Date.now() - 29 * 86_400_000);
    const weeks = Math.ceil((30 + ((first.getUTCDay() + 6) % 7)) / 7);
    await expect(table.getByRole("row")).toHaveCount(weeks + 1);
    await page.getByRole("button", { name: /^Time zone:/ }).click();
    await page.getByRole("combobox", { name: "Time zone" }).fill("tokyo");
    await page.getByRole("option", { name: "Asia/Tokyo" }).click();
    await expect(page).toHaveURL(/timezone=Asia%2FTokyo/);
    await page.reload();
    await expect(page.getByRole("button", { name: "Time zone: Asia/Tokyo" })).toBeVisible();
    await expect(figure(page, "Clicks")).toHaveText("3");
  });

  await test.step("an annotation is added, shown on the chart, edited and deleted", async () => {
    await page.goto(`/app/${slug}/analytics`);
    await expect(page.getByRole("img", { name: /Chart from/ })).toBeVisible();
    await page.getByRole("button", { name: "Add annotation" }).click();
    const dialog = () => page.getByRole("dialog");
    await dialog().getByRole("button", { name: "Save" }).click();
    await expect(dialog().getByText("Enter a text, a day and a time.")).toBeVisible();
    await dialog().getByLabel("Text").fill("Newsletter sent");
    await dialog().getByRole("button", { name: "Save" }).click();
    await expect(dialog()).toBeHidden();
    const marks = page.getByRole("list", { name: "Annotations in this period" });
    const mark = (text: string) => marks.getByRole("button", { name: new RegExp(`: ${text}$`) });
    await expect(mark("Newsletter sent")).toBeVisible();
    await expectAccessible(page);
    await mark("Newsletter sent").focus();
    await expect(page.getByRole("tooltip")).toContainText("Newsletter sent");
    await page.keyboard.press("Enter");
    await dialog().getByLabel("Text").fill("Second newsletter");
    await dialog().getByRole("button", { name: "Save" }).click();
    await mark("Second newsletter").click();
    await dialog().getByRole("button", { name: "Delete annotation" }).click();
    await expect(marks).toBeHidden();
  });

  await test.step("a click on the chart annotates its bucket", async () => {
    const time = page.getByRole("dialog").getByLabel("Time");
    // Its drawing is loaded after its summary.
    await expect(async () => {
      if (await time.isHidden()) await page.getByRole("img", { name: /Chart from/ }).click();
      await expect(time).toHaveValue("00:00", soon);
    }).toPass();
  });
});

test("a share opens without an account, and is gone once it is revoked", async ({
  page,
  browser,
  workspace: { slug, make },
}) => {
  const { shortLink } = await make<{ shortLink: string }>("/links", {
    url: "https://example.com/",
    key: `shared-${slug.slice(-8)}`,
  });
  await click(page, shortLink);
  await untilCounted(page, slug, 1);
  await page.goto(`/app/${slug}/analytics`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Share analytics" });
  await sheet.getByLabel("Name").fill("For the board");
  await sheet.getByRole("checkbox", { name: "Links" }).uncheck();
  await sheet.getByLabel("Password").fill("correct horse");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Create share link" }).click();
  const address = await sheet.getByLabel("Share link for “For the board”").inputValue();
  await expect(sheet.getByRole("row", { name: /For the board/ })).toBeVisible();

  const darkContext = await browser.newContext({ colorScheme: "dark" });
  const guest = await darkContext.newPage();
  await test.step("a guest gives the password and sees what was chosen", async () => {
    await guest.goto(address);
    await expect(
      guest.getByRole("heading", { name: "This page is password protected" }),
    ).toBeVisible();
    await expect(guest.getByText("For the board")).toBeHidden();
    await guest.getByLabel("Password").fill("wrong horse");
    await guest.getByRole("button", { name: "View analytics" }).click();
    await expect(guest.getByText("Incorrect password.")).toBeVisible();
    await expectAccessible(guest);
    await guest.getByLabel("Password").fill("correct horse");
    await guest.getByRole("button", { name: "View analytics" }).click();
    await expect(guest.getByRole("heading", { name: "For the board" })).toBeVisible();
    await expect(figure(guest, "Clicks")).toHaveText("1");
    await expect(guest.getByRole("heading", { name: "Referrers" })).toBeVisible();
    await expect(guest.getByRole("heading", { name: "Links" })).toBeHidden();
    await expect(guest.getByRole("heading", { name: "Latest clicks" })).toBeHidden();
    await expectAccessible(guest);
  });

  await test.step("its numbers are complete without scripts", async () => {
    const storageState = await darkContext.storageState();
    const plain = await browser.newContext({ javaScriptEnabled: false, storageState });
    const reader = await plain.newPage();
    await reader.goto(address);
    await expect(figure(reader, "Clicks")).toHaveText("1");
    await expect(reader.getByRole("img", { name: /^Chart from .* 1 click/ })).toBeVisible();
    const referrers = reader.getByRole("table", { name: "Referrers by clicks" });
    await expect(referrers.getByRole("row")).toHaveCount(2);
    await expect(reader.getByRole("table", { name: /hour/i })).toBeVisible();
    await expect(reader.locator("[aria-busy=true]")).toHaveCount(0);
    await plain.close();
  });

  await test.step("its address answers nothing else of the workspace", async () => {
    for (const query of ["groupBy=top_links", "groupBy=count&linkId=link_1"]) {
      expect((await guest.request.get(`${address}/analytics?${query}`)).status()).toBe(403);
    }
    expect((await guest.request.get(`/api/analytics?workspace=${slug}`)).status()).toBe(401);
  });

  await test.step("its address is shown again after a reload", async () => {
    await page.reload();
    await untilAlive(page);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await sheet.getByRole("button", { name: "Show link of For the board" }).click();
    const again = sheet.getByLabel("Share link for “For the board”");
    await expect(again).toHaveValue(address);
  });

  await test.step("revoked, it is gone", async () => {
    await sheet.getByRole("button", { name: "Revoke For the board" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await expect(sheet.getByText("No share links yet")).toBeVisible();
    // The list is shorter before the server has answered.
    const answered = async () =>
      (await guest.request.get(`${address}/analytics?groupBy=count`)).status();
    await expect.poll(answered).toBe(404);
    expect((await guest.goto(address))?.status()).toBe(404);
  });
  await darkContext.close();
});
