/** A/B tests: every variant leads where the editor says. */
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible, test, untilAlive } from "./journey.ts";
import { locationOf, noticeIn, openEditor, openForm } from "./link-form.ts";

/** The destinations of visitors from many networks, each once. */
async function destinationsOf(page: Page, shortLink: string): Promise<string[]> {
  const found = new Set<string>();
  for (let at = 1; at <= 16; at++) {
    const headers = { "X-Forwarded-For": `84.${at}.0.1` };
    found.add((await locationOf(page, shortLink, headers)).location);
  }
  return [...found].sort();
}

async function expectDestinations(page: Page, shortLink: string, urls: string[]): Promise<void> {
  await expect(async () => {
    expect(await destinationsOf(page, shortLink)).toEqual(urls);
  }).toPass();
}

const variant = (sheet: Locator, at: number) => sheet.getByLabel(`Variant ${at}`, { exact: true });

test("the variants of a test follow the destination and its UTM parameters, in whatever order they are edited", async ({
  page,
  baseURL,
  openWorkspace: workspace,
}) => {
  const key = `ab-${workspace.slug.slice(-8)}`;
  const shortLink = `${new URL(baseURL ?? "").origin}/${key}`;
  const site = "https://example.com";
  const form = await openForm(page);

  await test.step("the test is switched on before there is a destination", async () => {
    await form.getByRole("switch", { name: "A/B test" }).click();
    await expect(variant(form, 1)).toHaveAttribute("readonly", "");
    await variant(form, 2).fill(`${site}/b`);
    await form.getByLabel("Destination", { exact: true }).fill(`${site}/a`);
    await expect(variant(form, 1)).toHaveValue(`${site}/a`);
    await form.getByRole("switch", { name: "UTM parameters" }).click();
    await form.getByLabel("Source", { exact: true }).fill("mail");
    await expect(variant(form, 1)).toHaveValue(`${site}/a?utm_source=mail`);
    await expect(variant(form, 2)).toHaveValue(`${site}/b?utm_source=mail`);
    await expectAccessible(page);
    await form.getByLabel("Slug").fill(key);
    await page.keyboard.press("Control+Enter");
    await expect(noticeIn(page)).toBeVisible();
    await expectDestinations(page, shortLink, [
      `${site}/a?utm_source=mail`,
      `${site}/b?utm_source=mail`,
    ]);
  });

  await page.goto(`/app/${workspace.slug}/links?search=${key}`);
  await untilAlive(page);
  const save = async (sheet: Locator) => {
    await sheet.getByRole("button", { name: "Save", exact: true }).click();
    await expect(sheet).toBeHidden();
  };

  await test.step("the destination and the UTM parameters are edited later", async () => {
    const sheet = await openEditor(page);
    await sheet.getByLabel("Destination", { exact: true }).fill(`${site}/c?utm_source=sms`);
    await expect(variant(sheet, 1)).toHaveValue(`${site}/c?utm_source=sms`);
    await save(sheet);
    await expectDestinations(page, shortLink, [
      `${site}/b?utm_source=sms`,
      `${site}/c?utm_source=sms`,
    ]);
  });

  await test.step("a variant that is typed last gets the UTM parameters too", async () => {
    const sheet = await openEditor(page);
    await variant(sheet, 2).fill(`${site}/d?size=1`);
    await save(sheet);
    await expectDestinations(page, shortLink, [
      `${site}/c?utm_source=sms`,
      `${site}/d?size=1&utm_source=sms`,
    ]);
  });
});
