import { expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible, openSite, soon, test, untilAlive } from "./journey.ts";
import { noticeIn } from "./link-form.ts";

/** A page handles keys only after hydration; the key is pressed again until then. */
async function pressUntil(page: Page, key: string, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await page.keyboard.press(key);
    await expect(opened).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 120_000 });
}

async function pressUntilFocused(page: Page, key: string, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(wanted).toBeFocused({ timeout: 1_000 });
  }).toPass({ timeout: 120_000 });
}

async function create(page: Page, url: string, key: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Create a link" });
  await pressUntil(page, "c", dialog);
  await dialog.getByLabel("Destination").fill(url);
  await dialog.getByLabel("Slug").fill(key);
  await dialog.getByRole("button", { name: "Create link" }).click();
}

async function created(page: Page, url: string, key: string): Promise<void> {
  await create(page, url, key);
  await expect(noticeIn(page)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
}

test("links are made, searched, edited, duplicated, archived and deleted with the keyboard", async ({
  page,
  openWorkspace: { slug },
}) => {
  const unique = slug.slice(-8);
  const rivers = `rivers-${unique}`;
  const list = page.getByRole("list", { name: "Links" });
  const rows = list.locator("[data-row]");

  await test.step("a name that is taken is refused in words, and nothing typed is lost", async () => {
    await created(page, "https://example.com/trains", `trains-${unique}`);
    await created(page, "https://example.com/rivers", rivers);
    await expect(rows).toHaveCount(2);
    await create(page, "https://example.com/again", `trains-${unique}`);
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    await expect(dialog.getByLabel("Slug")).toHaveAccessibleDescription(/is already taken/);
    await expect(dialog.getByLabel("Destination")).toHaveValue("https://example.com/again");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await test.step("the address keeps a search", async () => {
    const search = page.getByRole("searchbox", { name: "Search links" });
    await pressUntilFocused(page, "/", search);
    await page.keyboard.type("rivers");
    await expect(page).toHaveURL(/search=rivers/);
    await expect(rows).toHaveCount(1);
    await page.reload();
    await untilAlive(page);
    await expect(search).toHaveValue("rivers");
    await expect(list.getByRole("link", { name: rivers }).first()).toBeVisible();
    await search.fill("mountains");
    await expect(page.getByRole("heading", { name: "No links match" })).toBeVisible();
    await page.getByRole("link", { name: "Clear search and filters" }).click();
    await expect(rows).toHaveCount(2);
  });

  await test.step("the second link is edited", async () => {
    await pressUntilFocused(page, "j", list.getByRole("link").first());
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    const sheet = page.getByRole("dialog", { name: "Edit link" });
    await sheet.getByLabel("Title").fill("A journey by train");
    await page.keyboard.press("Control+Enter");
    await expect(sheet).toBeHidden();
    await expect(list.getByRole("listitem").nth(1)).toContainText("A journey by train");
  });

  await test.step("a focused link is duplicated, archived, selected and tagged by one key each", async () => {
    const row = rows.first();
    await row.focus();
    await page.keyboard.press("d");
    await expect(rows).toHaveCount(3);
    await row.focus();
    await page.keyboard.press("a");
    await expect(rows).toHaveCount(2);
    await row.focus();
    await page.keyboard.press("x");
    const bar = page.getByRole("region", { name: "Selected links" });
    await expect(bar).toBeVisible();
    await page.keyboard.press("t");
    const tags = page.getByRole("dialog", { name: "Tags for selected links" });
    await expect(tags).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(tags).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(bar).toBeHidden();
  });

  await test.step("an archived link can be shown", async () => {
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("checkbox", { name: "Show archived links" }).click();
    await expect(page).toHaveURL(/archived=true/);
    await page.keyboard.press("Escape");
    await expect(rows).toHaveCount(3);
  });

  await test.step("one is deleted at once, and comes back", async () => {
    const row = rows.filter({ hasText: rivers }).first();
    // The menu that closes takes the focus back.
    await expect(async () => {
      await row.focus();
      await page.keyboard.press("Backspace");
      await expect(rows).toHaveCount(2, soon);
    }).toPass();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect(rows).toHaveCount(3);
  });
});

test("everything is one key away, and single keys can be switched off", async ({
  page,
  account: { slug },
}) => {
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await pressUntil(page, "?", keys);
  await keys.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await page.keyboard.press("?");
  await expect(keys).toBeHidden();

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command menu" });
  await palette.getByRole("combobox").fill("general");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/app/${slug}/settings`);

  await test.step("name and zone of the workspace", async () => {
    // The selection is kept when the form has errors.
    await page.getByRole("combobox", { name: "Default link expiration" }).click();
    await page.getByRole("option", { name: "After 30 days" }).click();
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid");
    await expect(page.getByRole("combobox", { name: "Default link expiration" })).toHaveText(
      "After 30 days",
    );
    await page.getByLabel("Name", { exact: true }).fill("Acme Travel");
    // A corrected field has no error any more.
    await expect(page.getByLabel("Name", { exact: true })).not.toHaveAttribute("aria-invalid");
    await page.getByRole("button", { name: "Time zone" }).click();
    await page.getByPlaceholder("Search time zones").fill("Shanghai");
    await page.getByRole("option", { name: "Asia/Shanghai" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("link", { name: "Acme Travel" })).toBeVisible();
  });

  await test.step("theme and language are remembered", async () => {
    await page.getByRole("button", { name: "Account: Ada Byron" }).click();
    const kept = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await kept;
    await page.reload();
    await expect(page.getByRole("button", { name: "Time zone" })).toHaveText("Asia/Shanghai");
    expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe("dark");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Account: Ada Byron" }).click();
    await page.getByRole("menuitemradio", { name: "简体中文" }).click();
    await expect(page.getByRole("heading", { name: "通用", level: 1 })).toBeVisible();
  });
});

test("a destination is known by its icon, and by its letter where it has none", async ({
  page,
  playwright,
  baseURL,
  workspace: { slug, make },
}) => {
  const background = "#1e3a8a";
  const png = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
  const [known, unknown] = [await openSite({ "/favicon.ico": png }), await openSite({})];
  for (const [url, title] of [
    [`${known.url}/shop`, "With an icon"],
    [`${unknown.url}/shop`, "Without one"],
  ]) {
    await make("/links", { url, title });
  }
  await page.goto(`/app/${slug}/links`);
  const rowOf = (title: string) => page.getByRole("listitem").filter({ hasText: title });
  const icon = rowOf("With an icon").locator("img");
  await expect(icon).toHaveJSProperty("naturalWidth", 32);
  await expect(icon).toHaveCSS("opacity", "1");
  const other = rowOf("Without one").locator("img");
  await expect.poll(() => unknown.externalUrls).toEqual(["/favicon.ico", "/"]);
  await expect(other).toHaveCSS("opacity", "0");
  await expectAccessible(page);

  const stranger = await playwright.request.newContext();
  const address = `${baseURL}/app/${slug}/site-icons?site=${encodeURIComponent(known.url)}`;
  expect((await stranger.get(address)).headers()["content-type"]).toContain("text/html");
  await stranger.dispose();
  known.server.close();
  unknown.server.close();
});
