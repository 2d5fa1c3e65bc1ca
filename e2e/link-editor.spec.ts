/** The link form: its fields affect visits, and its input is not lost. */
import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { iphone } from "./agents.ts";
import { expectAccessible, openDestination, siteOrigin, test, untilAlive } from "./journey.ts";
import { locationOf, noticeIn, openEditor, openForm, shortLinkIn } from "./link-form.ts";

test("what is said in the form is what visitors meet: its name, campaign parameters, rules and preview", async ({
  page,
  baseURL,
  openWorkspace: workspace,
}) => {
  const unique = workspace.slug.slice(-8);
  const shortLink = `${new URL(baseURL ?? "").origin}/fair-${unique}`;
  const form = await openForm(page);
  await form.getByLabel("Destination").fill("https://example.com/fair#map");

  await test.step("the name is looked up while it is typed, and the last letter counts", async () => {
    await form.getByLabel("Slug").pressSequentially("signin");
    await expect(form.getByText(/signin can’t be used/)).toBeVisible();
    await form.getByLabel("Slug").fill(`fair-${unique}`);
    await expect(form.getByText(`localhost/fair-${unique} is available.`)).toBeVisible();
  });

  await test.step("campaign parameters stand in the destination, follow it, and come back from a template", async () => {
    await form.getByRole("switch", { name: "UTM parameters" }).click();
    await form.getByLabel("Source").fill("mail & more");
    await expect(form.getByLabel("Destination")).toHaveValue(
      "https://example.com/fair?utm_source=mail%20%26%20more#map",
    );
    await form.getByLabel("Destination").fill("https://example.com/fair?utm_source=flyer");
    await expect(form.getByLabel("Source")).toHaveValue("flyer");
    await form.getByRole("button", { name: "Save as template" }).click();
    await form.getByLabel("Template name").fill("Flyers");
    await form.getByLabel("Template name").press("Enter");
    await expect(form.getByRole("combobox", { name: "Template" })).toHaveText("Flyers");
    await form.getByLabel("Source").fill("other");
    await form.getByRole("combobox", { name: "Template" }).click();
    await page.getByRole("option", { name: "Flyers" }).click();
    await expect(form.getByLabel("Source")).toHaveValue("flyer");
  });

  await test.step("rules are added, ordered by keyboard and tried out", async () => {
    await form.getByRole("switch", { name: "Targeting" }).click();
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
  });

  await test.step("the other parts", async () => {
    await form.getByRole("switch", { name: "Schedule and click limit" }).click();
    await form.getByLabel("Click limit", { exact: true }).fill("none");
    await form.getByRole("switch", { name: "Social preview" }).click();
    await form.getByLabel("Title", { exact: true }).fill("The autumn fair");
    await form.getByLabel("Description", { exact: true }).fill("Ten days of it");
    await expect(form.getByText("The autumn fair")).toBeVisible();
    await form.getByRole("switch", { name: "More options", exact: true }).click();
    await form.getByRole("combobox", { name: "Forward query parameters" }).click();
    await page.getByRole("option", { name: "On", exact: true }).click();
    await expectAccessible(page);
    // On the list itself, Enter would open it.
    await form.getByLabel("Title", { exact: true }).focus();
    await page.keyboard.press("Control+Enter");
    await expect(form.getByLabel("Click limit", { exact: true })).toHaveAccessibleDescription(
      /whole number/,
    );
    await expect(form.getByLabel("Click limit", { exact: true })).toBeFocused();
    await form.getByLabel("Click limit", { exact: true }).fill("50");
    await page.keyboard.press("Control+Enter");
    await expect(noticeIn(page)).toBeVisible();
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

test("the preview follows what is typed, with an uploaded picture, and the next link keeps tag and folder", async ({
  page,
  context,
  openWorkspace: { slug, make },
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await make("/tags", { name: "Spring" });
  await make("/folders", { name: "Fairs" });
  const key = `seen-${slug.slice(-8)}`;
  const form = await openForm(page);
  const preview = form.getByRole("region", { name: "Preview", exact: true });
  await form.getByLabel("Destination").fill("https://example.com/fair");
  await expect(preview.getByText(/created when you save/)).toBeVisible();
  await expect(preview.getByRole("img", { name: /^QR code/ })).toBeHidden();
  await form.getByLabel("Slug").fill(key);
  await expect(preview.getByText(`localhost/${key}`, { exact: true })).toBeVisible();
  await expect(preview.getByRole("img", { name: `QR code for localhost/${key}` })).toBeVisible();
  await expect(preview.getByText("example.com", { exact: true })).toBeVisible();
  await expect(preview.getByRole("tab")).toHaveCount(0);

  await test.step("networks, and a picture from a file", async () => {
    await form.getByRole("switch", { name: "Social preview" }).click();
    await form.getByLabel("Preview title").fill("The spring fair");
    await expect(form.getByLabel("Title", { exact: true })).toHaveValue("The spring fair");
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const files = form.getByLabel("Choose a file");
    await files.setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer: svg });
    await expect(form.getByText("This file can’t be used.")).toBeVisible();
    await files.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: await bigPicture() });
    await expect(form.getByLabel("Image", { exact: true })).toHaveValue(
      /\/api\/social-images\/img_\w{26}$/,
    );
    for (const network of ["Facebook", "LinkedIn", "WhatsApp", "X"]) {
      await preview.getByRole("tab", { name: network, exact: true }).click();
      await expect(preview.getByText("The spring fair")).toBeVisible();
      await expect(preview.getByRole("presentation")).toHaveJSProperty("complete", true);
    }
    await preview.getByRole("tab", { name: "WeChat" }).click();
    await expect(preview.getByText("WeChat shows pasted links as text")).toBeVisible();
    await expect(preview.getByText("The spring fair")).toBeHidden();
    await expectAccessible(page);
  });

  await test.step("on a phone a button opens it", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(preview).toBeHidden();
    await form.getByRole("button", { name: "Preview" }).click();
    await expect(preview.getByText(`localhost/${key}`, { exact: true })).toBeVisible();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Preview" }).click();
    await expect(preview).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step("a day by one click, in the zone of the workspace", async () => {
    await form.getByRole("switch", { name: "Schedule and click limit" }).click();
    const days = form.getByRole("group", { name: "Suggested dates: Expiration date" });
    await days.getByRole("button", { name: "In a month" }).click();
    await expect(form.getByLabel("Expiration date", { exact: true })).toHaveValue(/T23:59$/);
    await expect(days.getByRole("button", { name: "In a month" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(form.getByText(/the workspace’s time zone/)).toBeVisible();
  });

  await test.step("the new link is copied, and the next one has its tag and folder", async () => {
    await form.getByRole("button", { name: "Tags" }).click();
    await page.getByRole("option", { name: "Spring" }).click();
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Folder" }).click();
    await page.getByRole("option", { name: "Fairs" }).click();
    await form.getByRole("button", { name: "Create link" }).click();
    const ready = noticeIn(page, "Your link is ready and copied");
    const shortLink = await shortLinkIn(ready);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortLink);
    await expect(ready.getByRole("link", { name: "QR code" })).toHaveAttribute("href", /\/qr$/);
    await expectAccessible(page);
    const card = await page.request.get(shortLink, { headers: { "User-Agent": "Twitterbot/1.0" } });
    const [, image = ""] = /property="og:image" content="([^"]+)"/.exec(await card.text()) ?? [];
    const picture = await page.request.get(image);
    expect(picture.headers()["content-type"]).toBe("image/jpeg");
    await ready.getByRole("button", { name: "Create another" }).click();
    await expect(form.getByLabel("Destination")).toHaveValue("");
    await expect(form.getByText("Spring")).toBeVisible();
    await expect(form.getByText("Fairs")).toBeVisible();
  });
});

/** Larger than an upload may be: the browser makes it smaller. */
async function bigPicture(): Promise<Buffer> {
  const raw = { width: 900, height: 600, channels: 3 } as const;
  const picture = await sharp(randomBytes(900 * 600 * 3), { raw })
    .png()
    .toBuffer();
  expect(picture.length).toBeGreaterThan(700 * 1024);
  return picture;
}

test("a password that is set stays until its part is closed, and so does what another person saves meanwhile", async ({
  page,
  workspace,
}) => {
  const unique = workspace.slug.slice(-8);
  const { id, shortLink: secret } = await workspace.make<{ id: string; shortLink: string }>(
    "/links",
    { url: "https://example.com/secret", key: `secret-${unique}`, password: "sesame" },
  );
  await page.goto(`/app/${workspace.slug}/links?search=secret-${unique}`);
  await untilAlive(page);
  const sheet = await openEditor(page);
  await expect(sheet.getByRole("switch", { name: "Password" })).toBeChecked();
  await sheet.getByLabel("Title").fill("Secret");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet).toBeHidden();
  expect((await locationOf(page, secret)).status).toBe(401);
  await openEditor(page);
  const api = { headers: { Origin: siteOrigin, "X-Fuxi-Workspace": workspace.slug } };
  await page.request.patch(`/api/links/${id}`, { ...api, data: { comments: "For the fair" } });
  await sheet.getByRole("switch", { name: "Password" }).click();
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet).toBeHidden();
  await expect(async () => {
    expect((await locationOf(page, secret)).status).toBe(302);
  }).toPass();
  const saved = await page.request.get(`/api/links/${id}`, api);
  expect(await saved.json()).toMatchObject({ title: "Secret", comments: "For the fair" });
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

/** Delays suggestions for a destination until the draft of the saved form is deleted. */
async function holdSuggestions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { fetch } = window;
    const { removeItem } = Storage.prototype;
    let release = () => {};
    const deleted = new Promise<void>((resolve) => {
      release = resolve;
    });
    Storage.prototype.removeItem = function (name) {
      removeItem.call(this, name);
      if (name.startsWith("fuxi.draft")) release();
    };
    window.fetch = async (...args) => {
      const response = await fetch(...args);
      if (response.url.endsWith("/suggestion")) await deleted;
      return response;
    };
  });
}

test("what was typed survives a closed tab, without its password, until it is saved or thrown away", async ({
  page,
  context,
  account: { slug },
}) => {
  const { url, server } = await openDestination("Arrived");
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  const form = await openForm(page);
  await form.getByLabel("Destination").fill(url);
  // The title of the page fills in by itself, until something else is typed.
  const preview = form.getByRole("region", { name: "Preview", exact: true });
  await expect(form.getByLabel("Title")).toHaveValue("Arrived");
  await expect(preview.getByText("Arrived")).toBeVisible();
  await form.getByLabel("Title").fill("My own words");
  await expect(preview.getByText("My own words")).toBeVisible();
  await expect(
    preview.getByText(/Networks show the title of the destination instead/),
  ).toBeVisible();
  const [found] = await Promise.all([
    page.waitForResponse("**/api/links/suggestion"),
    form.getByLabel("Destination").fill(`${url}?again`),
  ]);
  await found.finished();
  await expect(
    preview.getByText(/Networks show the title of the destination instead/),
  ).toBeVisible();
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
  await holdSuggestions(next);
  const suggested = next.waitForResponse("**/api/links/suggestion");
  await again.getByRole("button", { name: "Continue editing" }).click();
  await expect(again.getByLabel("Title")).toHaveValue("Half written");
  await expect(again.getByLabel("Link password")).toHaveValue("");
  await again.getByRole("switch", { name: "Password" }).click();
  await suggested;
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
