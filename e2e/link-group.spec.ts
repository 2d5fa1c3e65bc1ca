import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import {
  click,
  expectAccessible,
  siteOrigin,
  test,
  untilAlive,
  untilCounted,
  type Workspace,
} from "./journey.ts";

/** Scripts fetched by the page: their URLs, and their compressed kilobytes. */
async function scriptsOf(page: Page): Promise<{ names: string[]; kilobytes: number }> {
  return await page.evaluate(() => {
    const entries = performance
      .getEntriesByType("resource")
      .filter((one) => /\.js(\?|$)/.test(one.name));
    const bytes = entries.map((one) =>
      "encodedBodySize" in one ? Number(one.encodedBodySize) : 0,
    );
    return {
      names: entries.map(({ name }) => name),
      kilobytes: bytes.reduce((sum, one) => sum + one, 0) / 1_000,
    };
  });
}

async function drawsCharts(page: Page, names: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(names.map(async (name) => (await page.request.get(name)).text()));
  return texts.some((text) => text.includes("recharts-"));
}

test("the list of links costs at most 255 KB of scripts, and none of them draws charts", async ({
  page,
  browser,
  workspace: { slug, make },
}) => {
  const key = `charted-${randomUUID().slice(0, 8)}`;
  await make("/links", { url: "https://example.com/", key });
  // Without clicks no chart is drawn.
  await click(page, `${siteOrigin}/${key}`);
  await untilCounted(page, slug, 1);
  // A browser with an empty cache.
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await context.newPage();
  await fresh.goto(new URL(`/app/${slug}/links`, siteOrigin).href, { waitUntil: "load" });
  await untilAlive(fresh);
  const list = await scriptsOf(fresh);
  expect(list.kilobytes).toBeGreaterThan(50);
  expect(list.kilobytes).toBeLessThanOrEqual(255);
  expect(await drawsCharts(fresh, list.names)).toBe(false);
  await fresh.getByRole("link", { name: "Analytics" }).click();
  await expect(fresh.getByRole("heading", { name: "Analytics", level: 1 })).toBeVisible();
  await expect
    .poll(async () => await drawsCharts(fresh, (await scriptsOf(fresh)).names))
    .toBe(true);
  await context.close();
});

/** The keys in the file that a link downloads. */
async function keysIn(page: Page, link: Locator): Promise<string[]> {
  const started = page.waitForEvent("download");
  await link.click();
  const lines = readFileSync(await (await started).path(), "utf8")
    .trim()
    .split("\r\n");
  const at = lines[0]?.split(",").indexOf("key") ?? -1;
  return lines
    .slice(1)
    .map((line) => line.split(",")[at] ?? "")
    .sort();
}

/** The list of three links of a new workspace, with their group actions. */
async function openGroup(page: Page, { slug, make }: Workspace) {
  const unique = randomUUID().slice(0, 8);
  for (const name of ["one", "two", "three"]) {
    await make("/links", { url: `https://example.com/${name}`, key: `${name}-${unique}` });
  }
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  const list = page.getByRole("list", { name: "Links", exact: true });
  return {
    list,
    rows: list.getByRole("listitem").filter({ has: page.getByRole("checkbox") }),
    bar: page.getByRole("region", { name: "Selected links" }),
    all: page.getByRole("checkbox", { name: "Select all links on this page" }),
    undo: page.getByRole("button", { name: "Undo" }),
    nameOf: (name: "one" | "two" | "three") => `${name}-${unique}`,
  };
}

test("many links are tagged, archived, deleted and moved at once, and it is taken back; filters, order and look survive a reload, and a step back", async ({
  page,
  workspace,
}) => {
  await workspace.make("/folders", { name: "Shop" });
  await workspace.make("/tags", { name: "Spring" });
  const { all, bar, list, nameOf, rows, undo } = await openGroup(page, workspace);

  await test.step("a tag", async () => {
    await all.check();
    await bar.getByRole("button", { name: "Tags" }).click();
    await page.getByRole("option", { name: "Spring" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Apply to 3 links" }).click();
    await expect(list.getByText("Spring")).toHaveCount(3);
    await expect(page.getByText("Tags updated for 3 links")).toBeVisible();
    await page.keyboard.press("Control+z");
    // First what goes away by itself.
    await expect(page.getByText("Undone for 3 links")).toBeVisible();
    await expect(list.getByText("Spring")).toHaveCount(0);
  });

  await test.step("the archive", async () => {
    if (!(await all.isChecked())) await all.check();
    await bar.getByRole("button", { name: "Archive" }).click();
    await expect(page.getByText("3 links archived")).toBeVisible();
    await expect(list).toBeHidden();
    await undo.last().click();
    await expect(rows).toHaveCount(3);
  });

  await test.step("a deletion, after a warning that names them", async () => {
    const clear = page.getByRole("button", { name: "Clear selection" });
    if (await clear.isVisible()) await clear.click();
    await list.getByRole("checkbox", { name: nameOf("one") }).check();
    await list.getByRole("checkbox", { name: nameOf("three") }).check({ force: true });
    await bar.getByRole("button", { name: "Delete" }).click();
    const warning = page.getByRole("alertdialog", { name: "Delete 2 links?" });
    await expect(warning).toContainText(nameOf("three"));
    await warning.getByRole("button", { name: "Delete 2 links" }).click();
    await expect(page.getByText("2 links deleted")).toBeVisible();
    await expect(rows).toHaveCount(1);
    const statusOf = async () =>
      (await page.request.get(`/${nameOf("one")}`, { maxRedirects: 0 })).status();
    expect(await statusOf()).toBe(404);
    await undo.last().click();
    await expect(rows).toHaveCount(3);
    expect(await statusOf()).toBe(302);
  });

  await test.step("a folder", async () => {
    await list.getByRole("checkbox", { name: nameOf("one") }).check();
    expect(await keysIn(page, bar.getByRole("link", { name: "Export" }))).toEqual([nameOf("one")]);
    await list.getByRole("checkbox", { name: nameOf("two") }).check();
    await bar.getByRole("button", { name: "Move" }).click();
    await page.getByPlaceholder("Search folders").fill("sho");
    await page.getByRole("option", { name: "Shop" }).click();
    await expect(page.getByText("2 links moved")).toBeVisible();
  });

  await test.step("filters, order and look survive a reload, and a step back", async () => {
    await page.reload();
    await untilAlive(page);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("button", { name: "Folder" }).click();
    await page.getByRole("option", { name: "Shop" }).click();
    await expect(page).toHaveURL(/folder=fold_/);
    await expect(rows).toHaveCount(2);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByRole("combobox", { name: "Sort by" }).click();
    await page.getByRole("option", { name: "Oldest first" }).click();
    await expect(page).toHaveURL(/order=oldest/);
    await page.getByRole("radio", { name: "Cards" }).check({ force: true });
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.reload();
    await untilAlive(page);
    await expect(rows).toHaveCount(2);
    await page.getByRole("main").getByRole("button", { name: "Export" }).click();
    const csv = page.getByRole("menuitem", { name: "CSV" });
    expect(await keysIn(page, csv)).toEqual([nameOf("one"), nameOf("two")]);
    await expect(rows.first()).toContainText(nameOf("one"));
    await rows.first().getByRole("link").first().click();
    await page.waitForURL("**/links/link_*");
    await page.goBack();
    await expect(rows).toHaveCount(2);
    await page.getByRole("link", { name: "Links", exact: true }).click();
    await expect(rows).toHaveCount(3);
  });
});

test("the history of a link tells each change, and any state comes back", async ({
  page,
  workspace: { slug, make },
}) => {
  const key = `past-${randomUUID().slice(0, 8)}`;
  const { id } = await make("/links", { url: "https://example.com/", key, title: "First" });
  const headers = { Origin: siteOrigin, "X-Fuxi-Workspace": slug };
  for (const title of ["Second", "Third"]) {
    await page.request.patch(`/api/links/${id}`, { headers, data: { title } });
  }
  await page.goto(`/app/${slug}/links/${id}`);
  await untilAlive(page);
  const history = page.getByRole("region", { name: "History" });
  const steps = history.getByRole("listitem");
  await expect(steps).toHaveCount(3);
  await expect(steps.first()).toContainText(/Title\s*Second→Third/);
  await expect(steps.first()).toContainText("Ada Byron");
  await expectAccessible(page);

  await steps
    .last()
    .getByRole("button", { name: /^Restore this version/ })
    .click();
  await expect(page.getByText("Version restored")).toBeVisible();
  await expect(steps).toHaveCount(4);
  await expect(steps.first()).toContainText(/Title\s*Third→First/);
  await page.keyboard.press("Control+z");
  await expect(steps).toHaveCount(5);
  await expect(steps.first()).toContainText(/Title\s*First→Third/);

  await test.step("what somebody else changed meanwhile is not covered up", async () => {
    await page.request.patch(`/api/links/${id}`, { headers, data: { title: "Theirs" } });
    await steps
      .last()
      .getByRole("button", { name: /^Restore this version/ })
      .click();
    await expect(page.getByText(/This was changed elsewhere/)).toBeVisible();
  });

  await test.step("a copy", async () => {
    await page.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.waitForURL((url) => url.pathname.includes("/links/link_") && !url.href.includes(id));
    await expect(page.getByRole("region", { name: "Details" })).toContainText("Theirs");
  });
});
