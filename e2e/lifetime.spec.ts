/** Links that retire: their date in the form, the notice with its email, and what visitors get at the end. */
import { expect, type Page } from "@playwright/test";
import { proveOwner, runLifetimeJob } from "../test/lifetime.ts";
import { expectAccessible, siteOrigin, test, untilAlive } from "./journey.ts";
import { openEditor, openForm } from "./link-form.ts";
import { findEmail } from "./outbox.ts";

const dayMs = 86_400_000;

/** The value of a date field, some days from now, in UTC as the workspaces of tests. */
function inDays(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 16);
}

async function chooseDate(page: Page, form: ReturnType<Page["getByRole"]>, days: number) {
  await form.getByRole("combobox", { name: "Retirement" }).click();
  await page.getByRole("option", { name: "On a date" }).click();
  await form.getByLabel("Retires on", { exact: true }).fill(inDays(days));
}

async function untilStatus(page: Page, shortLink: string, status: number): Promise<void> {
  await expect
    .poll(async () => (await page.request.get(shortLink, { maxRedirects: 0 })).status())
    .toBe(status);
}

/** The link in the list. Its name has the port of the instance. */
function linkOf(page: Page, key = "") {
  return page.getByRole("link", { name: new RegExp(`^localhost\\S*/${key}$`) });
}

/** Sets the date of a link over the API, as the signed-in person. */
async function retire(page: Page, slug: string, id: string, retiresAt: string): Promise<void> {
  const answer = await page.request.patch(`/api/links/${id}`, {
    headers: { Origin: siteOrigin, "X-Fuxi-Workspace": slug },
    data: { retiresAt },
  });
  expect(answer.status()).toBe(200);
}

test("the form sets when a link retires, beside what its workspace would do", async ({
  page,
  openWorkspace,
}) => {
  await expect(page).toHaveURL(`/app/${openWorkspace.slug}/links`);
  const form = await openForm(page);
  await form.getByLabel("Destination").fill("https://example.com/dated");
  await form.getByRole("switch", { name: "Schedule and click limit" }).click();
  await expect(form.getByText("Workspace default: never.")).toBeVisible();
  await chooseDate(page, form, 20);
  await expectAccessible(page);
  await form.getByLabel("Retires on", { exact: true }).fill("");
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(form.getByText("Enter a complete date and time.")).toBeVisible();
  await form.getByLabel("Retires on", { exact: true }).fill(inDays(20));
  await form.getByRole("button", { name: "Create link" }).click();
  await page
    .getByRole("list", { name: "Links", exact: true })
    .getByRole("link", { name: /^localhost/ })
    .first()
    .click();
  await expect(page.getByRole("region", { name: "Link retirement" })).toContainText("Retires on");

  await page.goBack();
  const editor = await openEditor(page);
  await expect(editor.getByLabel("Retires on", { exact: true })).toHaveValue(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d$/,
  );
  await editor.getByRole("combobox", { name: "Retirement" }).click();
  await page.getByRole("option", { name: "Workspace default" }).click();
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor).toBeHidden();
  await page
    .getByRole("link", { name: /^localhost/ })
    .first()
    .click();
  await expect(page.getByText("Destination", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Link retirement" })).toHaveCount(0);
});

test("a notice and an email announce links that retire, and Keep all keeps them", async ({
  page,
  workspace: { slug, make },
}) => {
  const email = await proveOwner(slug);
  const retiresAt = new Date(Date.now() + 20 * dayMs).toISOString();
  const dated = { url: "https://example.com/old", retiresAt };
  const links = await Promise.all(
    [1, 2].map(() => make<{ shortLink: string; key: string }>("/links", dated)),
  );
  await make("/links", { url: "https://example.com/stays", key: `stays-${slug}` });
  await runLifetimeJob(slug);

  const mail = await findEmail(email, `/app/${slug}/links?status=retiring`);
  expect(mail).toContain("2 links in the workspace Acme will retire in about 30 days");
  const address = /https?:\/\/\S+\?status=retiring/.exec(mail)?.[0] ?? "";

  await page.goto(address);
  await untilAlive(page);
  await page.getByRole("button", { name: "Notifications, 1 new" }).click();
  await expect(page.getByText("2 links retire in about 30 days")).toBeVisible();
  await page.keyboard.press("Escape");
  for (const { key } of links) {
    await expect(linkOf(page, key)).toBeVisible();
  }
  await expect(linkOf(page, `stays-${slug}`)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Keep all" }).click();
  await expect(page.getByText("2 links are kept")).toBeVisible();
  await expect(linkOf(page, links[0]?.key)).toHaveCount(0);
});

test("a retired link answers 410, and can be brought back", async ({
  page,
  workspace: { slug, make },
}) => {
  const retiresAt = new Date(Date.now() - 60_000).toISOString();
  const { shortLink, id } = await make<{ shortLink: string; id: string }>("/links", {
    url: "https://example.com/ended",
    key: `ended-${slug}`,
  });
  await untilStatus(page, shortLink, 302);
  await retire(page, slug, id, retiresAt);
  await runLifetimeJob(slug);
  await untilStatus(page, shortLink, 410);
  await page.goto(`/app/${slug}/links/${id}`);
  await untilAlive(page);
  await expect(page.getByText(/^Retired on .* It will be deleted on/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Bring back" }).click();
  await expect(page.getByText("Never retires")).toBeVisible();
  await untilStatus(page, shortLink, 302);
});
