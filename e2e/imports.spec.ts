import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, siteOrigin, test, untilAlive } from "./journey.ts";

const rows = 1_200;

/** As written by Excel in Europe, with a column that cannot be guessed, and three invalid rows. */
function sheetOf(word: string): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    if (at === 3) return `javascript:alert(1);Bad;${word}-bad;Autumn`;
    if (at === 5) return `https://example.com/5;"Five; and\r\nmore";${word}-0;Autumn`;
    if (at === 7) return ";Nothing;;";
    const key = at < 10 ? `${word}-${at}` : "";
    return `https://example.com/products/${at}?of=${word};Number ${at};${key};Autumn`;
  });
  return `\u{feff}Website;Name;Print code;Labels\r\n${lines.join("\r\n")}`;
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function saved(page: Page, name: string): Promise<string> {
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name, exact: true }).click();
  const file = test.info().outputPath(`${name}.csv`);
  await (await started).saveAs(file);
  return readFileSync(file, "utf8");
}

test("a file is uploaded, its columns and problems are seen, and its rows become links while the page is reloaded", async ({
  page,
  request,
  workspace: { slug },
}) => {
  const word = randomUUID().slice(0, 8);
  const headers = { Origin: siteOrigin, "X-Fuxi-Workspace": slug };
  await page.goto(`/app/${slug}/imports`);
  await untilAlive(page);

  await test.step("a sample file says which columns there are", async () => {
    expect(await saved(page, "Download a sample file")).toContain("Destination,Slug,Title");
  });

  await test.step("what is no CSV is refused with what to do", async () => {
    const zip = {
      name: "links.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("PK\u0003\u0004\0\0"),
    };
    // A file that is chosen before React has taken over the box is not noticed.
    await expect(async () => {
      await page.getByLabel("File", { exact: true }).setInputFiles(zip);
      const refusal = page.getByRole("alert").filter({ hasText: "CSV" });
      await expect(refusal).toBeVisible({ timeout: 5_000 });
    }).toPass();
  });

  await test.step("columns are guessed, and one is changed", async () => {
    const buffer = Buffer.from(sheetOf(word));
    const sheet = { name: "autumn.csv", mimeType: "text/csv", buffer };
    await page.getByLabel("File", { exact: true }).setInputFiles(sheet);
    await page.waitForURL("**/imports/imp_*");
    await expect(page.getByText("1,200 rows", { exact: true })).toBeVisible();
    const field = (column: string) =>
      page.getByRole("combobox", { name: `Field for column ${column}` });
    await expect(field("Website")).toHaveText("Destination");
    await expect(field("Labels")).toHaveText("Tags");
    await expect(field("Print code")).toHaveText("Don’t import");
    await choose(page, "Field for column Print code", "Slug");
    await expect(page.getByRole("cell", { name: new RegExp(`/${word}-1$`) })).toBeVisible();
  });

  await test.step("problems are named with their lines before anything is made", async () => {
    await expect(page.getByRole("heading", { name: "3 rows with a problem" })).toBeVisible();
    await expect(page.getByText("Line 5", { exact: true })).toBeVisible();
    await expectAccessible(page);
    const created = await page.request.get("/api/links/count", { headers });
    expect(await created.json()).toBe(0);
  });

  await test.step("the rows become links, also while nobody looks", async () => {
    await page.getByRole("button", { name: "Create 1,197 links" }).click();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Done" })).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText("1,197", { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("every row is in the results, and failures can be corrected", async () => {
    const results = await saved(page, "Download results");
    expect(results.match(/,made,/g)).toHaveLength(rows - 3);
    const failures = await saved(page, "Download skipped rows");
    expect(failures.split("refused")).toHaveLength(4);
    const shortLink = /http\S+?-1(?=,)/.exec(results)?.[0] ?? "";
    const answer = await request.get(shortLink, { maxRedirects: 0 });
    expect(answer.headers()["location"]).toBe(`https://example.com/products/1?of=${word}`);
  });

  await test.step("the list of imports has it, and it can be deleted", async () => {
    await page.getByRole("link", { name: "Upload another file" }).click();
    await page.getByRole("link", { name: "autumn.csv" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/imports");
    await expect(page.getByRole("heading", { name: "Imports" })).toBeVisible();
    await expect(page.getByRole("link", { name: "autumn.csv" })).toBeHidden();
  });
});
