/** Shared by the tests of the link form. */
import { expect, type Locator, type Page } from "@playwright/test";

export async function openForm(page: Page): Promise<Locator> {
  const form = page.getByRole("dialog", { name: "Create a link" });
  await expect(async () => {
    if (!(await form.isVisible())) await page.keyboard.press("c");
    await expect(form).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 120_000 });
  return form;
}

/** The notice about a new link. */
export function noticeIn(page: Page, title = "Your link is ready"): Locator {
  return page.getByRole("listitem").filter({ hasText: title });
}

export async function shortLinkIn(notice: Locator): Promise<string> {
  return (await notice.getByRole("link").first().getAttribute("href")) ?? "";
}

/** The Location of a short link, without a browser. */
export async function locationOf(
  page: Page,
  shortLink: string,
  headers: Record<string, string> = {},
) {
  const answer = await page.request.get(shortLink, { headers, maxRedirects: 0 });
  return { status: answer.status(), location: answer.headers()["location"] ?? "" };
}

export async function openEditor(page: Page, host = "localhost"): Promise<Locator> {
  await page.getByRole("button", { name: `More actions for ${host}` }).click();
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  return page.getByRole("dialog", { name: "Edit link" });
}
