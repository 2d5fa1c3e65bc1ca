import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, siteOrigin, test, untilAlive } from "./journey.ts";

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

  await test.step("rows that cannot be loaded are loaded on request", async () => {
    const isAction = (url: URL) => url.pathname === `/app/${slug}/links`;
    await page.route(isAction, (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await openLinks(page, slug);
    await expect(page.getByText("38 more links could not be loaded.")).toBeVisible();
    await expect(list.getByRole("listitem")).toHaveCount(12);
    await expectAccessible(page);
    await page.unroute(isAction);
    await page.getByRole("button", { name: "Load the other links" }).click();
    await expect(list.getByRole("listitem")).toHaveCount(50);
  });

  await test.step("pages have a position, a total and a size", async () => {
    await expect(page.getByText("1–50 of 130", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Next" }).click();
    await expect(page.getByText("51–100 of 130", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "25 per page" }).click();
    await expect(page.getByText("1–25 of 130", { exact: true })).toBeVisible();
    await expectAccessible(page);
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
    await expectAccessible(page);
    const bar = page.getByRole("region", { name: "Selected links" });
    await bar.getByRole("button", { name: "Turn off" }).click();
    const note = page.getByRole("region", { name: "Change of the whole list" });
    await expect(note.getByText("130 links turned off")).toBeVisible({ timeout: 120_000 });
    await expect(list.getByText("Off", { exact: true }).first()).toBeVisible();
    await note.getByRole("button", { name: "Undo" }).click();
    await expect(note.getByText("Undone for 130 links")).toBeVisible({ timeout: 120_000 });
    await note.getByRole("button", { name: "Close" }).click();
    await expect(note).toBeHidden();
  });
});

test("links are found by what state they are in, and their page says it in words", async ({
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
  });
});

test("on a narrow screen the domain is cut, and the slug is not", async ({
  page,
  openWorkspace: { slug, make },
}) => {
  const key = `the-whole-slug-is-shown-${slug.slice(-8)}`;
  await make("/links", { url: "https://example.com/", key, title: "A title" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openLinks(page, slug);
  const part = page.getByText(`/${key}`, { exact: true });
  await expect(part).toBeVisible();
  const cut = await part.evaluate((one) => one.scrollWidth > one.clientWidth + 1);
  expect(cut).toBe(false);
  const box = await part.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await expect(page.getByText("A title", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("the export of another system keeps its slugs, its skipped rows are named, and the import is undone", async ({
  page,
  workspace: { slug },
}) => {
  const word = slug.slice(-8);
  const { host } = new URL(siteOrigin);
  const text = [
    "Bitlink,Long URL,Title,Custom Bitlinks",
    `bit.ly/3abc,https://example.com/a,A,${host}/kept-${word}`,
    "bit.ly/4xyz,https://example.com/b,B,",
  ].join("\r\n");
  await page.goto(`/app/${slug}/imports`);
  await untilAlive(page);
  const sample = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download a sample file" }).click();
  const file = test.info().outputPath("sample.csv");
  await (await sample).saveAs(file);
  expect(readFileSync(file, "utf8")).toContain("Destination,Slug,Title");
  await expect(async () => {
    await page
      .getByLabel("File", { exact: true })
      .setInputFiles({ name: "bitly.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.waitForURL("**/imports/imp_*", { timeout: 30_000 });
  }).toPass();

  await test.step("a lost slug is announced", async () => {
    const field = page.getByRole("combobox", { name: "Field for column Custom Bitlinks" });
    await expect(field).toHaveText("Custom short link (preferred)");
    await expect(page.getByText("This workspace has no verified domain “bit.ly”")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the links and the skipped row", async () => {
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await expect(page.getByRole("heading", { name: "Done" })).toBeVisible({ timeout: 120_000 });
    await expect(page.getByRole("cell", { name: /no verified domain “bit.ly”/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Show these links" }).click();
    await expect(page.getByText("Import: bitly.csv", { exact: true })).toBeVisible();
    const kept = page.getByRole("link", { name: new RegExp(`^[^ ]+/kept-${word}$`) });
    await expect(kept).toBeVisible();
    await page.goBack();
  });

  await test.step("the undo", async () => {
    await page.getByRole("button", { name: "Undo import" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo import" }).click();
    const note = page.getByRole("region", { name: "Change of the whole list" });
    await expect(note.getByText("1 link deleted")).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText("This import was undone.")).toBeVisible();
  });
});
