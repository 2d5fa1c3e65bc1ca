import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone, test, untilAlive } from "./journey.ts";

const links = 130;

async function openLinks(page: Page, slug: string, search = ""): Promise<void> {
  await page.goto(`/app/${slug}/links${search}`);
  await untilAlive(page);
}

test("a list of many links shows its total, keeps a selection over pages, and is changed as a whole and back", async ({
  page,
  workspace: { slug, make },
}) => {
  const bodies = Array.from({ length: links }, (_, at) => ({ url: `https://example.com/${at}` }));
  await make("/links/bulk", bodies);
  const list = page.getByRole("list", { name: "Links", exact: true });

  await test.step("a page comes with all its rows", async () => {
    await openLinks(page, slug);
    await expect(list.getByRole("listitem")).toHaveCount(50);
    await expectAccessible(page);
  });

  await test.step("pages have a position, a total and a size", async () => {
    await expect(page.getByText("1–50 of 130", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Next" }).click();
    await expect(page.getByText("51–100 of 130", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "25 per page" }).click();
    await expect(page.getByText("1–25 of 130", { exact: true })).toBeVisible();
  });

  await test.step("a selection stays while pages are turned", async () => {
    await list.getByRole("checkbox").first().check();
    await page.getByRole("link", { name: "Next" }).click();
    await expect(list.getByRole("checkbox").first()).not.toBeChecked();
    await list.getByRole("checkbox").first().check();
    await expect(page.getByText("2 selected", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Clear selection" }).click();
  });

  await test.step("all that match are turned off, and on again", async () => {
    await page.getByRole("checkbox", { name: "Select all links on this page" }).check();
    await page.getByRole("button", { name: "Select all 130 that match" }).click();
    await expect(page.getByText("130 selected", { exact: true })).toBeVisible();
    const bar = page.getByRole("region", { name: "Selected links" });
    await bar.getByRole("button", { name: "Turn off" }).click();
    const note = page.getByRole("region", { name: "Change to all matching links" });
    await expect(note.getByText("130 links turned off")).toBeVisible({ timeout: 120_000 });
    await expect(list.getByText("Off", { exact: true }).first()).toBeVisible();
    await note.getByRole("button", { name: "Undo" }).click();
    await expect(note.getByText("Undone for 130 links")).toBeVisible({ timeout: 120_000 });
    await note.getByRole("button", { name: "Close" }).click();
    await expect(note).toBeHidden();
  });
});

test("links are found by their state, whose view is saved; their page says it in words, and a phone cuts the domain, not the slug", async ({
  page,
  workspace: { slug, make },
}) => {
  const word = slug.slice(-8);
  await make("/links", { url: "https://example.com/off", key: `off-${word}`, disabled: true });
  await make("/links", {
    url: "https://example.com/soon",
    key: `soon-${word}`,
    startsAt: "2099-01-01T00:00:00Z",
  });
  await make("/links", {
    url: "https://example.com/ruled",
    key: `ruled-${word}`,
    password: "x1y2z3",
    rules: [{ device: ["mobile"], country: ["DE"], url: "https://example.de/" }],
  });
  await openLinks(page, slug);
  const list = page.getByRole("list", { name: "Links", exact: true });
  await expect(list.getByText("Scheduled", { exact: true })).toBeVisible();

  await test.step("by filters", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Scheduled" }).click();
    await expect(page.getByText("1–1 of 1", { exact: true })).toBeVisible();
    await expect(
      list.getByRole("link", { name: new RegExp(`soon-${word}`) }).first(),
    ).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Coming soon");
    await page.getByRole("button", { name: "Save current view" }).click();
    await expect(page.getByRole("link", { name: "Coming soon" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Remove filter .*Scheduled/ }).click();
    await expect(page.getByText("1–3 of 3", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("link", { name: "Coming soon" }).click();
    await expect(page.getByText("1–1 of 1", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: /Remove filter .*Scheduled/ }).click();
    await expect(page.getByText("1–3 of 3", { exact: true })).toBeVisible();
  });

  await test.step("in words", async () => {
    await list.getByRole("link", { name: new RegExp(`^[^ ]+/ruled-${word}$`) }).click();
    await page.waitForURL("**/links/link_*");
    await expect(page.getByText("If Device is Phone and Country is Germany:")).toBeVisible();
    await expect(
      page.getByRole("main").getByText("Password", { exact: true }).first(),
    ).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
  });

  await test.step("on a phone", async () => {
    await expectFitsPhone(page);
    const part = list.getByText(`/soon-${word}`, { exact: true });
    await expect(part).toBeVisible();
    const cut = await part.evaluate((one) => one.scrollWidth > one.clientWidth + 1);
    expect(cut).toBe(false);
    const box = await part.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  });
});

test("headings sort, chosen columns stay, a row is dragged into a folder, and a quick edit warns before a slug in use changes, and is undone", async ({
  page,
  workspace: { slug, make },
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const word = slug.slice(-8);
  await make("/folders", { name: "Posters" });
  for (const name of ["first", "second", "third"]) {
    const body = { url: `https://example.com/${name}`, key: `${name}-${word}`, title: name };
    await make("/links", name === "second" ? { ...body, qr: { dots: "rounded" } } : body);
  }
  await openLinks(page, slug);
  const list = page.getByRole("list", { name: "Links", exact: true });
  const rows = list.getByRole("listitem").filter({ has: page.getByRole("checkbox") });
  const heading = (name: string) => page.getByRole("columnheader", { name, exact: true });

  await test.step("a heading sorts, and its second click reverses the order", async () => {
    await expect(heading("Created")).toHaveAttribute("aria-sort", "descending");
    await page.getByRole("button", { name: "Created", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/order=oldest/);
    await expect(heading("Created")).toHaveAttribute("aria-sort", "ascending");
    await expect(rows.first()).toContainText(`first-${word}`);
    await page.getByRole("button", { name: "Clicks", exact: true }).click();
    await expect(heading("Clicks")).toHaveAttribute("aria-sort", "descending");
    await expect(page).toHaveURL(/order=clicks/);
  });

  await test.step("a column", async () => {
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByRole("checkbox", { name: "Last click" }).click();
    await expect(heading("Last click")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.reload();
    await untilAlive(page);
    await expect(heading("Last click")).toBeVisible();
  });

  const folders = page.getByRole("navigation", { name: "Folders" });
  await test.step("a row, and then the selection, into a folder", async () => {
    const target = folders.getByRole("link", { name: "Posters" });
    await rows.filter({ hasText: `first-${word}` }).dragTo(target);
    await expect(page.getByText("1 link moved")).toBeVisible();
    await expect(rows.filter({ hasText: `first-${word}` })).toContainText("Posters");
    await page.getByRole("checkbox", { name: "Select all links on this page" }).check();
    await rows.filter({ hasText: `second-${word}` }).dragTo(folders.getByText("No folder"));
    await expect(rows.filter({ hasText: `first-${word}` })).not.toContainText("Posters");
    await rows.filter({ hasText: `third-${word}` }).dragTo(target);
    await folders.getByRole("link", { name: "No folder" }).click();
    await expect(page).toHaveURL(/folder=none/);
    await expect(rows).toHaveCount(2);
    await folders.getByRole("link", { name: "All links" }).click();
    await expect(rows).toHaveCount(3);
  });

  await test.step("one row by its menu", async () => {
    await page
      .getByRole("button", { name: new RegExp(`^More actions for .*/first-${word}$`) })
      .click();
    await page.getByRole("menuitem", { name: "Move to folder" }).click();
    await page.getByRole("option", { name: "Posters" }).click();
    await expect(rows.filter({ hasText: `first-${word}` })).toContainText("Posters");
  });

  await test.step("a quick edit", async () => {
    const row = rows.filter({ hasText: `second-${word}` });
    await row.locator("[data-row]").focus();
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Quick edit" });
    await dialog.getByLabel("Title").fill("The poster in the hall");
    await expect(dialog.getByText(/stops working when you save/)).toBeHidden();
    await dialog.getByLabel("Slug").fill(`hall-${word}`);
    await expect(dialog.getByText(/stops working when you save/)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(rows.filter({ hasText: `hall-${word}` })).toContainText("The poster in the hall");
    const notices = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
    const notice = notices.filter({ hasText: `hall-${word} was saved` });
    await expect(notice.getByRole("button", { name: /^Copy / })).toBeVisible();
    await expectAccessible(page);
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect(rows.filter({ hasText: `second-${word}` })).toBeVisible();
  });
});
