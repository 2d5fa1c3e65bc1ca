import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { click, expectAccessible, expectFitsPhone, test, untilAlive } from "./journey.ts";

const goodRows = 20;

/** No rule of axe is violated, and nothing is wider than the window, on a desktop and on a phone. */
async function expectGood(page: Page): Promise<void> {
  const size = page.viewportSize();
  await expectAccessible(page);
  await expectFitsPhone(page);
  if (size) await page.setViewportSize(size);
}

const cardOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function pasteRows(page: Page, text: string): Promise<void> {
  await page.getByLabel("Rows", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Check rows" }).click();
}

test("a campaign is written with mistakes mended, gets its recipients, and the next one those who didn’t click", async ({
  page,
  openWorkspace: { slug, make },
}) => {
  const list = `/app/${slug}/campaigns`;
  const template = page.getByLabel("Text", { exact: true });
  await page.goto(list);
  await untilAlive(page);

  await test.step("the preview offers the column that is missing, and an error stands at its field", async () => {
    await page.getByRole("link", { name: "Create campaign" }).click();
    await page.waitForURL("**/campaigns/new");
    await untilAlive(page);
    const steps = page.getByRole("navigation", { name: "Steps of this campaign" });
    await expect(steps.locator("[aria-current=step]")).toHaveText(/Message/);
    await page.getByRole("button", { name: "Save and continue" }).click();
    // Everything that an empty marketing message lacks: its name, text, destination, sender, opt-out and consent.
    await expect(page.locator("[aria-invalid]")).toHaveCount(7);
    await page.getByLabel("Name", { exact: true }).fill("Autumn");
    await page.getByText("Service", { exact: true }).click();
    await template.fill("Hi {name} – {link} now");
    const preview = page.getByRole("region", { name: "Message preview" });
    await expect(preview.getByText(/^Hi name – http/)).toBeVisible();
    await preview.getByRole("button", { name: "Add name as a column" }).click();
    await expect(page.getByLabel("Column name", { exact: true })).toHaveValue("name");
    await preview.getByRole("button", { name: "Replace them (1 part)" }).click();
    await expect(template).toHaveValue("Hi {name} - {link} now");
    await page.getByRole("button", { name: "Save and continue" }).click();
    await expect(page.getByText("Enter a full URL, such as")).toBeVisible();
    await expectGood(page);
  });

  await test.step("a reload keeps what was typed, and a corrected error goes away", async () => {
    await page.reload();
    await untilAlive(page);
    await page.getByRole("button", { name: "Continue editing" }).click();
    await expect(template).toHaveValue("Hi {name} - {link} now");
    await page.getByRole("button", { name: "Save and continue" }).click();
    const error = page.getByText("Enter a full URL, such as");
    await expect(error).toBeVisible();
    await page.getByLabel("Destination URL").fill("https://example.com/?r={recipientId}");
    await expect(error).toBeHidden();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.waitForURL("**/campaigns/camp_*/recipients");
    await expect(page.getByRole("heading", { name: "Autumn" })).toBeVisible();
  });
  const [, campaign = ""] = /campaigns\/([^/]+)/.exec(page.url()) ?? [];

  await test.step("the draft is left, opened again where it was left, and its message with the back button", async () => {
    await page.goBack();
    await page.waitForURL(`**/campaigns/${campaign}/message`);
    await expect(template).toHaveValue("Hi {name} - {link} now");
    await page.goto(list);
    const row = page.getByRole("row", { name: /Autumn/ });
    await expect(row.getByText("Draft: recipients missing")).toBeVisible();
    await row.getByRole("link", { name: "Autumn" }).click();
    await page.waitForURL(`**/campaigns/${campaign}/recipients`);
    await untilAlive(page);
  });

  await test.step("problems of pasted rows are named, corrected, and the rows get their links", async () => {
    await page.getByRole("tab", { name: "Paste rows" }).click();
    await pasteRows(page, "phone,name\n2025550101,Ann\n12,Bo\n2025550103,\n");
    const card = cardOf(page, "Pasted rows");
    await expect(card.getByRole("heading", { name: "2 rows with a problem" })).toBeVisible();
    await expect(card.getByText("Line 3", { exact: true })).toBeVisible();
    await expect(card.getByText(/isn’t a valid phone number/)).toBeVisible();
    await expect(card.getByText(/The column name is empty/)).toBeVisible();
    await expectGood(page);
    await pasteRows(page, "phone,name\n2025550101,Ann\n2025550102,Bo\n2025550103,Cy\n");
    await expect(page.getByText("No problems found in 3 rows.")).toBeVisible();
    await expect(card).toHaveCount(1);
    await page.reload();
    await page.getByRole("button", { name: "Add 3 recipients" }).click();
    await expect(card.getByText("3 recipients added, 0 rows refused.")).toBeVisible();
    const table = page.getByRole("region", { name: "Recipients", exact: true });
    await expect(table.getByText("+12025550102", { exact: true })).toBeVisible();
    await expectGood(page);
  });

  await test.step("the refused rows of a file are downloaded with their reasons, and the file is undone", async () => {
    const phones = Array.from({ length: goodRows }, (_, at) => 2_025_550_200 + at);
    const buffer = Buffer.from(`phone,name\n${phones.join(",Di\n")},Di\n12,Bo\n`);
    await page.getByRole("button", { name: "Add more recipients" }).click();
    const file = { name: "more.csv", mimeType: "text/csv", buffer };
    await page.getByLabel("File of recipients").setInputFiles(file);
    const card = cardOf(page, "more.csv");
    await card.getByRole("button", { name: `Add ${goodRows} recipients` }).click();
    await expect(card.getByText(`${goodRows} recipients added, 1 row refused.`)).toBeVisible();
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download refused rows of more.csv" }).click();
    expect(readFileSync(await (await started).path(), "utf8")).toContain("12,Bo");
    await card.getByRole("button", { name: "Undo more.csv" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
    await expect(card.getByText("Undone", { exact: true })).toBeVisible();
  });

  await test.step("those who didn’t click are exported, and the next campaign takes them", async () => {
    const headers = { "X-Fuxi-Workspace": slug };
    const path = `/api/campaigns/${campaign}/recipients`;
    const answer = await page.request.get(path, { headers });
    const [first] = await answer.json();
    await click(page, first.shortLink);
    await expect(async () => {
      const clicked = await page.request.get(`${path}?clicked=true`, { headers });
      expect(await clicked.json()).toHaveLength(1);
    }).toPass();
    await page.goto(`/app/${slug}/campaigns/${campaign}/recipients?show=not_clicked`);
    await untilAlive(page);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const started = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "CSV" }).click();
    const exported = readFileSync(await (await started).path(), "utf8");
    expect(exported.match(/12025550\d+/g)).toEqual(["12025550102", "12025550103"]);
    const next = await make("/campaigns", {
      name: "Reminder",
      kind: "service",
      template: "Again: {link} now",
      destination: "https://example.com/",
      defaultCountry: "US",
    });
    await page.goto(`${list}/${next.id}`);
    await untilAlive(page);
    await page.getByRole("tab", { name: "From a campaign" }).click();
    await page.getByRole("button", { name: "Campaign", exact: true }).click();
    await page.getByRole("option", { name: "Autumn" }).click();
    await page.getByRole("button", { name: "Use these recipients" }).click();
    await page.getByRole("button", { name: "Add 2 recipients" }).click();
    await expect(cardOf(page, "Autumn").getByText(/^2 recipients added/)).toBeVisible();
  });

  await test.step("the list shows both, and finds one by its name", async () => {
    await page.goto(list);
    await expect(page.getByRole("link", { name: "Reminder" })).toBeVisible();
    await page.getByRole("searchbox").fill("autu");
    await expect(page.getByRole("link", { name: "Reminder" })).toBeHidden();
    await page.getByRole("link", { name: "Autumn" }).click();
    await page.waitForURL(`**/campaigns/${campaign}/check`);
  });

  await test.step("the check shows a real message, and everything that keeps it from being sent", async () => {
    const message = page.getByRole("region", { name: "Message of a recipient" });
    await expect(message.getByText(/^Hi Ann - http/)).toBeVisible();
    await expect(page.getByText("There is no SMS gateway", { exact: false })).toBeVisible();
    await expectGood(page);
    const steps = page.getByRole("navigation", { name: "Steps of this campaign" });
    await expect(steps.getByRole("link", { name: "Send" })).toHaveCount(0);
    await steps.getByRole("link", { name: "Message" }).click();
    await page.waitForURL(`**/campaigns/${campaign}/message`);
    await page.goBack();
    await expect(steps.locator("[aria-current=step]")).toHaveText(/Check/);
  });
});
