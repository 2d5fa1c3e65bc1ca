/** The rarer fields of a link and their effect on visits. */
import { expect } from "@playwright/test";
import { giveFolders } from "../test/workspaces.ts";
import { iphone } from "./agents.ts";
import { expectAccessible, test, untilAlive } from "./journey.ts";
import { locationOf, noticeIn, openEditor, openForm, shortLinkIn } from "./link-form.ts";

test("each of the other fields is what visitors meet", async ({
  page,
  baseURL,
  openWorkspace: workspace,
}) => {
  const { slug } = workspace;
  const unique = slug.slice(-8);
  const origin = new URL(baseURL ?? "").origin;
  const shortLink = `${origin}/all-${unique}`;
  const headers = { Origin: origin, "X-Fuxi-Workspace": slug };
  // More than a page of the API: the wanted ones come last.
  const names = Array.from({ length: 59 }, (_, at) => `Folder ${at}`);
  await giveFolders(slug, [...names, "Zebra"]);

  await test.step("a link of many fields is made", async () => {
    const form = await openForm(page);
    await form.getByLabel("Destination").fill("https://example.com/plain");
    await form.getByLabel("Slug").fill(`all-${unique}`);
    await form.getByRole("button", { name: "Tags" }).click();
    await page.getByPlaceholder("Search tags").fill("Autumn");
    await page.getByRole("option", { name: "Create “Autumn”" }).click();
    await expect(form.getByRole("button", { name: "Remove Autumn" })).toBeVisible();
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Folder" }).click();
    await page.getByPlaceholder("Folder").fill("zebra");
    await page.getByRole("option", { name: "Zebra" }).click();
    await expect(form.getByRole("button", { name: "Folder" })).toHaveText("Zebra");
    await form.getByLabel("Comments").fill("For the fair");
    await form.getByRole("switch", { name: "Targeting" }).click();
    await form.getByLabel("Redirect iPhone and iPad to").fill("https://example.com/ios");
    await form.getByLabel("Redirect Android to").fill("https://example.com/android");
    await form.getByRole("switch", { name: "A/B test" }).click();
    await form.getByLabel("Variant 2", { exact: true }).fill("https://example.com/b");
    await form.getByLabel("Percent for variant 1").fill("1");
    await expect(form.getByText("Total: 51% (must be 100%)")).toBeVisible();
    await form.getByLabel("Percent for variant 2").fill("99");
    await form.getByRole("switch", { name: "Social preview" }).click();
    await form.getByLabel("Image").fill("https://example.com/picture.png");
    await form.getByRole("switch", { name: "More options", exact: true }).click();
    // There is no form yet, but the field says where to create one.
    await expect(form.getByRole("combobox", { name: "Form", exact: true })).toHaveText("None");
    await expect(form.getByRole("link", { name: "Create one" })).toHaveAttribute(
      "href",
      /\/forms$/,
    );
    for (const name of ["Forward path", "Allow search indexing", "Public click count"]) {
      await form.getByRole("switch", { name }).click();
    }
    await form.getByRole("switch", { name: "Developer", exact: true }).click();
    await form.getByRole("combobox", { name: "Redirect type" }).click();
    await page.getByRole("option", { name: "307 (temporary)" }).click();
    await expectAccessible(page);
    await form.getByLabel("External ID").fill(`ext-${unique}`);
    await form.getByLabel("Tenant ID").fill("tenant");
    await page.keyboard.press("Control+Enter");
    await expect(noticeIn(page)).toBeVisible();
    const kept = await page.request.get(`/api/links/info?externalId=ext_ext-${unique}`, {
      headers,
    });
    expect(await kept.json()).toMatchObject({
      tenantId: "tenant",
      comments: "For the fair",
      tags: [{ name: "Autumn" }],
      folderId: expect.stringMatching(/^fold_/),
    });
  });

  await test.step("and visitors meet them", async () => {
    const computer = { "User-Agent": iphone.replace(/iPhone.*X\)/, "Windows NT 10.0)") };
    const android = { "User-Agent": iphone.replace(/iPhone.*X\)/, "Linux; Android 14; Pixel 8)") };
    const sent = await page.request.get(`${shortLink}/more`, {
      headers: computer,
      maxRedirects: 0,
    });
    expect(sent.status()).toBe(307);
    expect(sent.headers()["location"]).toMatch(/^https:\/\/example\.com\/(plain|b)\/more$/);
    expect(sent.headers()["x-robots-tag"]).toBeUndefined();
    const phone = await locationOf(page, shortLink, { "User-Agent": iphone });
    expect(phone.location).toBe("https://example.com/ios");
    expect((await locationOf(page, shortLink, android)).location).toBe(
      "https://example.com/android",
    );
    const card = await page.request.get(shortLink, { headers: { "User-Agent": "Twitterbot/1.0" } });
    expect(await card.text()).toContain("https://example.com/picture.png");
    const preview = await page.request.get(`${shortLink}+`);
    expect(await preview.text()).toContain("Clicks (without bots)");
  });

  await page.goto(`/app/${slug}/links?search=all-${unique}`);
  await untilAlive(page);

  await test.step("the editor calls tag and folder by their names, and refuses what its domain cannot do", async () => {
    const sheet = await openEditor(page);
    await expect(sheet.getByRole("button", { name: "Remove Autumn" })).toBeVisible();
    await expect(sheet.getByRole("button", { name: "Folder" })).toHaveText("Zebra");
    await sheet.getByRole("switch", { name: "A/B test" }).click();
    await sheet.getByRole("switch", { name: "Link cloaking" }).click();
    await sheet.getByRole("button", { name: "Save" }).click();
    const refusal = "Links on the domain of the dashboard can’t be cloaked. Choose another domain.";
    await expect(sheet.getByText(refusal)).toBeVisible();
    await sheet.getByRole("switch", { name: "Link cloaking" }).click();
    await sheet.getByRole("button", { name: "Add country" }).click();
    await sheet.getByRole("combobox", { name: "Country", exact: true }).click();
    await page.getByRole("option", { name: "Germany" }).click();
    await sheet.getByLabel("Redirect to", { exact: true }).fill("https://example.com/de");
    await sheet.getByRole("switch", { name: "Schedule and click limit" }).click();
    await sheet.getByLabel("Start date", { exact: true }).fill("2100-01-01T10:00");
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
    await expect
      .poll(async () => (await locationOf(page, shortLink, { "User-Agent": iphone })).status)
      .toBe(404);
    // The editor opens with the link as the list shows it.
    const list = page.getByRole("list", { name: "Links", exact: true });
    await expect(list.getByText("Scheduled", { exact: true })).toBeVisible();
    await openEditor(page);
    await sheet.getByRole("switch", { name: "Schedule and click limit" }).click();
    await sheet.getByRole("switch", { name: "Turn off this link" }).click();
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
    await expect.poll(async () => (await locationOf(page, shortLink)).status).toBe(410);
  });

  await test.step("a random name is as long as one says, and the same destination has the same link", async () => {
    const created: string[] = [];
    for (const reuse of [false, true, true]) {
      const form = await openForm(page);
      await expect(noticeIn(page)).toBeHidden();
      await form.getByLabel("Destination").fill(`https://example.com/${unique}`);
      await form.getByRole("switch", { name: "Developer", exact: true }).click();
      if (reuse) await form.getByRole("switch", { name: "Reuse existing link" }).click();
      else {
        await form.getByLabel("Random slug prefix").fill(`p-${unique}`);
        await form.getByLabel("Random slug length").fill("9");
      }
      await page.keyboard.press("Control+Enter");
      created.push(await shortLinkIn(noticeIn(page)));
      await expect(form).toBeHidden();
    }
    expect(created[0]).toMatch(new RegExp(`/p-${unique}/.{9}$`));
    expect(created[1]).toMatch(/\/[a-zA-Z0-9]{6}$/);
    expect(created[2]).toBe(created[1]);
  });
});
