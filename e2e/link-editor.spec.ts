/** The form of a link: what is said there is what visitors meet, and what was typed is not lost. */
import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible, openDestination, signUp, test, untilAlive } from "./person.ts";

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";

async function openForm(page: Page): Promise<Locator> {
  const form = page.getByRole("dialog", { name: "Create a link" });
  await expect(async () => {
    if (!(await form.isVisible())) await page.keyboard.press("c");
    await expect(form).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  return form;
}

/** Where a request of the short link is sent, without a browser. */
async function locationOf(page: Page, shortLink: string, headers: Record<string, string> = {}) {
  const answer = await page.request.get(shortLink, { headers, maxRedirects: 0 });
  return { status: answer.status(), location: answer.headers()["location"] ?? "" };
}

test("what is said in the form is what visitors meet", async ({ page, baseURL }) => {
  test.slow();
  const unique = randomUUID().slice(0, 8);
  const { slug } = await signUp(page);
  const shortLink = `${new URL(baseURL ?? "").origin}/fair-${unique}`;
  const form = await openForm(page);

  await test.step("the name is looked up while it is typed, and the last letter counts", async () => {
    await form.getByLabel("Destination").fill("https://example.com/fair#map");
    await form.getByLabel("Short name").pressSequentially("signin");
    await expect(form.getByText(/signin cannot be used/)).toBeVisible();
    await form.getByLabel("Short name").fill(`fair-${unique}`);
    await expect(form.getByText(`localhost/fair-${unique} is free.`)).toBeVisible();
  });

  await test.step("campaign parameters stand in the destination, and follow it", async () => {
    await form.getByRole("switch", { name: "UTM parameters" }).click();
    await form.getByLabel("Source").fill("mail & more");
    await expect(form.getByLabel("Destination")).toHaveValue(
      "https://example.com/fair?utm_source=mail%20%26%20more#map",
    );
    await form.getByLabel("Destination").fill("https://example.com/fair?utm_source=flyer");
    await expect(form.getByLabel("Source")).toHaveValue("flyer");
  });

  await test.step("they are kept as a template, and come back from it", async () => {
    await form.getByRole("button", { name: "Keep as template" }).click();
    await form.getByLabel("Name of the template").fill("Flyers");
    await form.getByLabel("Name of the template").press("Enter");
    await expect(form.getByRole("combobox", { name: "Template" })).toHaveText("Flyers");
    await form.getByLabel("Source").fill("other");
    await form.getByRole("combobox", { name: "Template" }).click();
    await page.getByRole("option", { name: "Flyers" }).click();
    await expect(form.getByLabel("Source")).toHaveValue("flyer");
  });

  await test.step("rules are added, ordered by keyboard and tried out", async () => {
    await form.getByRole("switch", { name: "Rules" }).click();
    await addRule(form, 1, "Country", "Germany", "https://example.com/germany");
    await addRule(form, 2, "System", "iOS", "https://example.com/app");
    await expect(form.getByText("Goes to example.com/app")).toBeVisible();
    await expect(form.getByText("Rule 1 does not hold: Country.")).toBeVisible();
    await form.getByLabel("From", { exact: true }).click();
    await page.getByRole("option", { name: "Germany" }).click();
    await expect(form.getByText("Goes to example.com/germany")).toBeVisible();
    await expect(form.getByText("Rule 2 would hold too, but comes later.")).toBeVisible();
    await form.getByRole("button", { name: "Move rule 2 with the arrow keys" }).press("ArrowUp");
    await expect(form.getByText("Goes to example.com/app")).toBeVisible();
    const first = form.getByRole("listitem", { name: "Rule 1", exact: true });
    for (const place of ["germany", "app"]) {
      await form.getByRole("button", { name: "Move rule 2 with the arrow keys" }).dragTo(first);
      await expect(form.getByText(`Goes to example.com/${place}`)).toBeVisible();
    }
    await expectAccessible(page);
  });

  await test.step("the other parts", async () => {
    await form.getByRole("switch", { name: "Schedule and limit" }).click();
    await form.getByLabel("Number of visits").fill("none");
    await form.getByRole("switch", { name: "Preview in networks" }).click();
    await form.getByLabel("Title").fill("The autumn fair");
    await form.getByLabel("Text", { exact: true }).fill("Ten days of it");
    await expect(form.getByText("The autumn fair")).toBeVisible();
    await form.getByRole("switch", { name: "More", exact: true }).click();
    await form.getByRole("switch", { name: "Pass parameters on" }).click();
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await expect(form.getByLabel("Number of visits")).toHaveAccessibleDescription(/whole number/);
    await expect(form.getByLabel("Number of visits")).toBeFocused();
    await form.getByLabel("Number of visits").fill("50");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("dialog", { name: "Your link is ready" })).toBeVisible();
  });

  await test.step("visitors and networks", async () => {
    const person = { "User-Agent": iphone };
    expect(await locationOf(page, `${shortLink}?a=1`, person)).toEqual({
      status: 302,
      location: "https://example.com/app?a=1",
    });
    const computer = { "User-Agent": iphone.replace(/iPhone.*X\)/, "Windows NT 10.0)") };
    expect((await locationOf(page, shortLink, computer)).location).toBe(
      "https://example.com/fair?utm_source=flyer",
    );
    const card = await page.request.get(shortLink, { headers: { "User-Agent": "Twitterbot/1.0" } });
    expect(await card.text()).toContain("The autumn fair");
  });

  await test.step("a password that is set stays until the part is closed", async () => {
    const headers = { Origin: new URL(baseURL ?? "").origin, "X-Fuxi-Workspace": slug };
    await page.request.post("/api/links", {
      headers,
      data: { url: "https://example.com/secret", key: `secret-${unique}`, password: "sesame" },
    });
    await page.goto(`/app/${slug}/links?search=secret-${unique}`);
    await untilAlive(page);
    const secret = shortLink.replace("fair-", "secret-");
    const sheet = await openEditor(page);
    await expect(sheet.getByRole("switch", { name: "Password" })).toBeChecked();
    await sheet.getByLabel("Title").fill("Secret");
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
    expect((await locationOf(page, secret)).status).toBe(401);
    await openEditor(page);
    await sheet.getByRole("switch", { name: "Password" }).click();
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
    await expect(async () => {
      expect((await locationOf(page, secret)).status).toBe(302);
    }).toPass();
  });
});

test("each of the other fields is what visitors meet", async ({ page, baseURL }) => {
  test.slow();
  const unique = randomUUID().slice(0, 8);
  const { slug } = await signUp(page);
  const origin = new URL(baseURL ?? "").origin;
  const shortLink = `${origin}/all-${unique}`;
  const headers = { Origin: origin, "X-Fuxi-Workspace": slug };
  // More than a page of the API has: the ones that are wanted come last.
  for (let at = 0; at < 60; at++) {
    const data = { name: at === 59 ? "Zebra" : `Folder ${at}` };
    await page.request.post("/api/folders", { headers, data });
  }
  const save = async (sheet: Locator) => {
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
  };

  await test.step("a link of many fields is made", async () => {
    const form = await openForm(page);
    await form.getByLabel("Destination").fill("https://example.com/plain");
    await form.getByLabel("Short name").fill(`all-${unique}`);
    await form.getByRole("button", { name: "Tags" }).click();
    await page.getByPlaceholder("Search tags").fill("Autumn");
    await page.getByRole("option", { name: "Create “Autumn”" }).click();
    await expect(form.getByRole("button", { name: "Take out Autumn" })).toBeVisible();
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Folder" }).click();
    await page.getByPlaceholder("Folder").fill("zebra");
    await page.getByRole("option", { name: "Zebra" }).click();
    await expect(form.getByRole("button", { name: "Folder" })).toHaveText("Zebra");
    await expectAccessible(page);
    await form.getByLabel("Comments").fill("For the fair");
    await form.getByRole("switch", { name: "Rules" }).click();
    await form.getByLabel("iPhone and iPad lead to").fill("https://example.com/ios");
    await form.getByLabel("Android leads to").fill("https://example.com/android");
    await form.getByRole("switch", { name: "A/B test" }).click();
    await form.getByLabel("Variant 1", { exact: true }).fill("https://example.com/a");
    await form.getByLabel("Variant 2", { exact: true }).fill("https://example.com/b");
    await form.getByLabel("Percent of variant 1").fill("1");
    await expect(form.getByText("Together 51 of 100 percent")).toBeVisible();
    await form.getByLabel("Percent of variant 2").fill("99");
    await form.getByRole("switch", { name: "Preview in networks" }).click();
    await form.getByLabel("Picture").fill("https://example.com/picture.png");
    await form.getByRole("switch", { name: "More", exact: true }).click();
    await form.getByRole("combobox", { name: "Kind of redirect" }).click();
    await page.getByRole("option", { name: "307, temporary" }).click();
    for (const name of ["Pass the path on", "Let search engines", "Show the clicks to everybody"]) {
      await form.getByRole("switch", { name }).click();
    }
    await form.getByLabel("External id").fill(`ext-${unique}`);
    await form.getByLabel("Tenant id").fill("tenant");
    await page.keyboard.press("Control+Enter");
    const ready = page.getByRole("dialog", { name: "Your link is ready" });
    await ready.getByRole("button", { name: "Done" }).click();
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
    expect(sent.headers()["location"]).toMatch(/^https:\/\/example\.com\/[ab]\/more$/);
    expect(sent.headers()["x-robots-tag"]).toBeUndefined();
    const phone = await locationOf(page, shortLink, { "User-Agent": iphone });
    expect(phone.location).toBe("https://example.com/ios");
    expect((await locationOf(page, shortLink, android)).location).toBe(
      "https://example.com/android",
    );
    const card = await page.request.get(shortLink, { headers: { "User-Agent": "Twitterbot/1.0" } });
    expect(await card.text()).toContain("https://example.com/picture.png");
    const preview = await page.request.get(`${shortLink}+`);
    expect(await preview.text()).toContain("Clicks so far, without bots");
  });

  await page.goto(`/app/${slug}/links?search=all-${unique}`);
  await untilAlive(page);

  await test.step("what it is ordered by is called by its name in the editor", async () => {
    const sheet = await openEditor(page);
    await expect(sheet.getByRole("button", { name: "Take out Autumn" })).toBeVisible();
    await expect(sheet.getByRole("button", { name: "Folder" })).toHaveText("Zebra");
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
  });

  await test.step("a country has a destination, and the site stays under the short address", async () => {
    const sheet = await openEditor(page);
    await sheet.getByRole("switch", { name: "A/B test" }).click();
    await sheet.getByRole("switch", { name: "Stay under the short address" }).click();
    await sheet.getByRole("button", { name: "Add country" }).click();
    await sheet.getByRole("combobox", { name: "Country" }).click();
    await page.getByRole("option", { name: "Germany" }).click();
    await sheet.getByLabel("Leads to", { exact: true }).fill("https://example.com/de");
    await save(sheet);
    await expect(async () => {
      const german = { "X-Forwarded-For": "84.128.0.1" };
      const framed = await page.request.get(shortLink, { headers: german, maxRedirects: 0 });
      expect(framed.status()).toBe(200);
      expect(await framed.text()).toContain('src="https://example.com/de"');
    }).toPass();
  });

  await test.step("it opens, it ends, and it is switched off", async () => {
    const sheet = await openEditor(page);
    await sheet.getByRole("switch", { name: "Stay under the short address" }).click();
    await sheet.getByRole("switch", { name: "Schedule and limit" }).click();
    await sheet.getByLabel("Opens").fill("2100-01-01T10:00");
    await save(sheet);
    await expect(async () => {
      expect((await locationOf(page, shortLink)).status).toBe(404);
    }).toPass();
    await openEditor(page);
    await sheet.getByLabel("Opens").fill("");
    await sheet.getByLabel("Ends").fill("2020-01-01T10:00");
    await sheet.getByLabel("Afterwards visitors go to").fill("https://example.com/over");
    await save(sheet);
    await expect(async () => {
      expect((await locationOf(page, shortLink)).location).toBe("https://example.com/over");
    }).toPass();
    await openEditor(page);
    await sheet.getByRole("switch", { name: "Schedule and limit" }).click();
    await sheet.getByRole("switch", { name: "Switch the link off" }).click();
    await save(sheet);
    await expect(async () => {
      expect((await locationOf(page, shortLink)).status).toBe(410);
    }).toPass();
  });

  await test.step("a random name is as long as one says, and the same destination has the same link", async () => {
    const made: string[] = [];
    for (const reuse of [false, true, true]) {
      const form = await openForm(page);
      await form.getByLabel("Destination").fill(`https://example.com/${unique}`);
      await form.getByRole("switch", { name: "More", exact: true }).click();
      if (reuse) await form.getByRole("switch", { name: "Use a link that there is" }).click();
      else {
        await form.getByLabel("Prefix of the random name").fill(`p-${unique}`);
        await form.getByLabel("Length of the random name").fill("9");
      }
      await page.keyboard.press("Control+Enter");
      const ready = page.getByRole("dialog", { name: "Your link is ready" });
      made.push(await ready.getByLabel("Short link").inputValue());
      await ready.getByRole("button", { name: "Done" }).click();
      await expect(ready).toBeHidden();
    }
    expect(made[0]).toMatch(new RegExp(`/p-${unique}/.{9}$`));
    expect(made[1]).toMatch(/\/[a-zA-Z0-9]{6}$/);
    expect(made[2]).toBe(made[1]);
  });
});

test("templates of campaign parameters are made, changed and deleted in the settings", async ({
  page,
}) => {
  const { slug } = await signUp(page);
  await page.goto(`/app/${slug}/settings/utm`);
  await expect(page.getByRole("heading", { name: "No templates" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create template" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a template" });
  await dialog.getByRole("button", { name: "Create template" }).click();
  await expect(dialog.getByLabel("Name of the template")).toHaveAccessibleDescription(/name/);
  await dialog.getByLabel("Name of the template").fill("Newsletter");
  await dialog.getByLabel("Source").fill("mail");
  await dialog.getByRole("button", { name: "Create template" }).click();
  await expect(page.getByRole("row", { name: /Newsletter mail/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Edit: Newsletter" }).click();
  await page.getByLabel("Source").fill("");
  await page.getByLabel("Medium").fill("email");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /Newsletter email/ })).toBeVisible();
  await page.getByRole("button", { name: "Delete: Newsletter" }).click();
  await page.getByRole("button", { name: "Delete template" }).click();
  await expect(page.getByRole("heading", { name: "No templates" })).toBeVisible();
});

async function openEditor(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "More for localhost" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  return page.getByRole("dialog", { name: "Edit link" });
}

async function addRule(form: Locator, number: number, kind: string, value: string, url: string) {
  const page = form.page();
  await form.getByRole("button", { name: "Add rule" }).click();
  const rule = form.getByRole("listitem", { name: `Rule ${number}`, exact: true });
  await rule.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("menuitem", { name: kind, exact: true }).click();
  await rule.getByRole("button", { name: kind, exact: true }).click();
  await page
    .getByPlaceholder(/^Search/)
    .last()
    .fill(value);
  await page.getByRole("option", { name: value, exact: true }).click();
  await page.keyboard.press("Escape");
  await rule.getByLabel("Leads to").fill(url);
}

test("what was typed survives a closed tab, without its password, until it is saved or thrown away", async ({
  page,
  context,
}) => {
  const { url, server } = await openDestination("Arrived");
  const { slug } = await signUp(page);
  const form = await openForm(page);
  await form.getByLabel("Destination").fill(url);
  // The page of an address that was left alone is offered, and fills in nothing by itself.
  const take = form.getByRole("button", { name: "Use", exact: true });
  await expect(take).toBeVisible();
  await expect(form.getByLabel("Title")).toHaveValue("");
  await take.click();
  await expect(form.getByLabel("Title")).toHaveValue("Arrived");
  await form.getByLabel("Title").fill("My own words");
  await form.getByRole("button", { name: "Suggest from the destination" }).click();
  await expect(form.getByText("The page says nothing that is not")).toBeVisible();
  await expect(form.getByLabel("Title")).toHaveValue("My own words");
  await form.getByLabel("Title").fill("Half written");
  await form.getByRole("switch", { name: "Password" }).click();
  await form.getByLabel("Password of the link").fill("open sesame");
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  expect(stored).toContain("Half written");
  expect(stored).not.toContain("open sesame");
  await page.close({ runBeforeUnload: false });

  const next = await context.newPage();
  await next.goto(`/app/${slug}/links`);
  await untilAlive(next);
  const again = await openForm(next);
  await expect(again.getByLabel("Destination")).toHaveValue("");
  await expectAccessible(next);
  await again.getByRole("button", { name: "Continue" }).click();
  await expect(again.getByLabel("Title")).toHaveValue("Half written");
  await expect(again.getByLabel("Password of the link")).toHaveValue("");
  await again.getByRole("switch", { name: "Password" }).click();
  await next.keyboard.press("Control+Enter");
  await next.getByRole("button", { name: "Create another" }).click();
  await expect(again.getByLabel("Destination")).toHaveValue("");
  await expect(again.getByRole("button", { name: "Continue" })).toBeHidden();

  await again.getByLabel("Title").fill("For nobody else");
  await next.keyboard.press("Escape");
  await next.getByRole("button", { name: "Account: Ada Byron" }).click();
  await next.getByRole("menuitem", { name: "Sign out" }).click();
  await next.waitForURL("**/");
  expect(await next.evaluate(() => JSON.stringify(localStorage))).not.toContain("For nobody");
  server.close();
});
