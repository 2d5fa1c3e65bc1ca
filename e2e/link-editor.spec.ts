/** The link form: its fields affect visits, and its input is not lost. */
import { expect, type Locator } from "@playwright/test";
import { expectAccessible, openDestination, signUp, test, untilAlive } from "./journey.ts";
import { iphone, locationOf, openEditor, openForm } from "./link-form.ts";

test("the name is looked up while it is typed, and the last letter counts", async ({
  page,
  workspace,
}) => {
  const unique = workspace.slug.slice(-8);
  const form = await openForm(page);
  await form.getByLabel("Destination").fill("https://example.com/fair#map");
  await form.getByLabel("Slug").pressSequentially("signin");
  await expect(form.getByText(/signin can’t be used/)).toBeVisible();
  await form.getByLabel("Slug").fill(`fair-${unique}`);
  await expect(form.getByText(`localhost/fair-${unique} is available.`)).toBeVisible();
});

test("campaign parameters stand in the destination, follow it, and come back from a template", async ({
  page,
  workspace,
}) => {
  await expect(page).toHaveURL(`/app/${workspace.slug}/links`);
  const form = await openForm(page);
  await form.getByLabel("Destination").fill("https://example.com/fair#map");

  await test.step("they stand in the destination, and follow it", async () => {
    await form.getByRole("switch", { name: "UTM parameters" }).click();
    await form.getByLabel("Source").fill("mail & more");
    await expect(form.getByLabel("Destination")).toHaveValue(
      "https://example.com/fair?utm_source=mail%20%26%20more#map",
    );
    await form.getByLabel("Destination").fill("https://example.com/fair?utm_source=flyer");
    await expect(form.getByLabel("Source")).toHaveValue("flyer");
  });

  await test.step("they are kept as a template, and come back from it", async () => {
    await form.getByRole("button", { name: "Save as template" }).click();
    await form.getByLabel("Template name").fill("Flyers");
    await form.getByLabel("Template name").press("Enter");
    await expect(form.getByRole("combobox", { name: "Template" })).toHaveText("Flyers");
    await form.getByLabel("Source").fill("other");
    await form.getByRole("combobox", { name: "Template" }).click();
    await page.getByRole("option", { name: "Flyers" }).click();
    await expect(form.getByLabel("Source")).toHaveValue("flyer");
  });
});

test("what is said in the form is what visitors meet", async ({ page, baseURL, workspace }) => {
  const unique = workspace.slug.slice(-8);
  const shortLink = `${new URL(baseURL ?? "").origin}/fair-${unique}`;
  const form = await openForm(page);
  await form.getByLabel("Destination").fill("https://example.com/fair?utm_source=flyer");
  await form.getByLabel("Slug").fill(`fair-${unique}`);

  await test.step("rules are added, ordered by keyboard and tried out", async () => {
    await form.getByRole("switch", { name: "Rules" }).click();
    await addRule(form, 1, "Country", "Germany", "https://example.com/germany");
    await addRule(form, 2, "OS", "iOS", "https://example.com/app");
    await expect(form.getByText("Redirects to example.com/app")).toBeVisible();
    await expect(form.getByText("Rule 1 doesn’t match: Country.")).toBeVisible();
    await form.getByLabel("Visitor’s country", { exact: true }).click();
    await page.getByRole("option", { name: "Germany" }).click();
    await expect(form.getByText("Redirects to example.com/germany")).toBeVisible();
    await expect(form.getByText("Rule 2 also matches, but comes later.")).toBeVisible();
    await form.getByRole("button", { name: "Move rule 2 with the arrow keys" }).press("ArrowUp");
    await expect(form.getByText("Redirects to example.com/app")).toBeVisible();
    const first = form.getByRole("listitem", { name: "Rule 1", exact: true });
    for (const place of ["germany", "app"]) {
      await form.getByRole("button", { name: "Move rule 2 with the arrow keys" }).dragTo(first);
      await expect(form.getByText(`Redirects to example.com/${place}`)).toBeVisible();
    }
    await expectAccessible(page);
  });

  await test.step("the other parts", async () => {
    await form.getByRole("switch", { name: "Schedule and click limit" }).click();
    await form.getByLabel("Click limit", { exact: true }).fill("none");
    await form.getByRole("switch", { name: "Social preview" }).click();
    await form.getByLabel("Title").fill("The autumn fair");
    await form.getByLabel("Description", { exact: true }).fill("Ten days of it");
    await expect(form.getByText("The autumn fair")).toBeVisible();
    await form.getByRole("switch", { name: "More options", exact: true }).click();
    await form.getByRole("switch", { name: "Forward query parameters" }).click();
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await expect(form.getByLabel("Click limit", { exact: true })).toHaveAccessibleDescription(
      /whole number/,
    );
    await expect(form.getByLabel("Click limit", { exact: true })).toBeFocused();
    await form.getByLabel("Click limit", { exact: true }).fill("50");
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
});

test("a password that is set stays until its part is closed", async ({ page, workspace }) => {
  const unique = workspace.slug.slice(-8);
  const { shortLink: secret } = await workspace.make<{ shortLink: string }>("/links", {
    url: "https://example.com/secret",
    key: `secret-${unique}`,
    password: "sesame",
  });
  await page.goto(`/app/${workspace.slug}/links?search=secret-${unique}`);
  await untilAlive(page);
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

test("templates of campaign parameters are made, changed and deleted in the settings", async ({
  page,
  workspace: { slug },
}) => {
  await page.goto(`/app/${slug}/settings/utm`);
  await expect(page.getByRole("heading", { name: "No templates yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create template" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a template" });
  await dialog.getByRole("button", { name: "Create template" }).click();
  await expect(dialog.getByLabel("Template name")).toHaveAccessibleDescription(/name/);
  await dialog.getByLabel("Template name").fill("Newsletter");
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
  await expect(page.getByRole("heading", { name: "No templates yet" })).toBeVisible();
});

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
  await rule.getByLabel("Redirect to").fill(url);
}

test("what was typed survives a closed tab, without its password, until it is saved or thrown away", async ({
  page,
  context,
}) => {
  const { url, server } = await openDestination("Arrived");
  const { slug } = await signUp(page);
  const form = await openForm(page);
  await form.getByLabel("Destination").fill(url);
  // The suggestion for a completed URL is offered, and fills in nothing by itself.
  const take = form.getByRole("button", { name: "Use", exact: true });
  await expect(take).toBeVisible();
  await expect(form.getByLabel("Title")).toHaveValue("");
  await take.click();
  await expect(form.getByLabel("Title")).toHaveValue("Arrived");
  await form.getByLabel("Title").fill("My own words");
  await form.getByRole("button", { name: "Fill in from destination" }).click();
  await expect(form.getByText("Nothing new to fill in")).toBeVisible();
  await expect(form.getByLabel("Title")).toHaveValue("My own words");
  await form.getByLabel("Title").fill("Half written");
  await form.getByRole("switch", { name: "Password" }).click();
  await form.getByLabel("Link password").fill("open sesame");
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
  await again.getByRole("button", { name: "Continue editing" }).click();
  await expect(again.getByLabel("Title")).toHaveValue("Half written");
  await expect(again.getByLabel("Link password")).toHaveValue("");
  await again.getByRole("switch", { name: "Password" }).click();
  await next.keyboard.press("Control+Enter");
  await next.getByRole("button", { name: "Create another" }).click();
  await expect(again.getByLabel("Destination")).toHaveValue("");
  await expect(again.getByRole("button", { name: "Continue editing" })).toBeHidden();

  await again.getByLabel("Title").fill("For nobody else");
  await next.keyboard.press("Escape");
  await next.getByRole("button", { name: "Account: Ada Byron" }).click();
  await next.getByRole("menuitem", { name: "Sign out" }).click();
  await next.waitForURL("**/");
  expect(await next.evaluate(() => JSON.stringify(localStorage))).not.toContain("For nobody");
  server.close();
});
