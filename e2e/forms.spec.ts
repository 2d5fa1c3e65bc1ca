/** A form before a link: from the dashboard to a visitor, a contact and its erasure. */
import { expect } from "@playwright/test";
import { desktopAgent, expectAccessible, openDestination, test, untilAlive } from "./journey.ts";
import { openEditor } from "./link-form.ts";

test("visitors answer a form before a link goes on, and become contacts", async ({
  page,
  browser,
  workspace: { slug, make },
}) => {
  const { url } = await openDestination("You have arrived");
  const link = await make<{ id: string; shortLink: string }>("/links", { url });

  await test.step("a form is published once it says what the answers are for", async () => {
    await page.goto(`/app/${slug}/forms`);
    await untilAlive(page);
    await expect(page.getByText("No forms yet")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create form" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create a form" });
    await dialog.getByLabel("Form name").fill("Offer");
    await dialog.getByLabel("Title", { exact: true }).fill("Get the offer");
    await dialog.getByRole("button", { name: "Add field" }).click();
    await page.getByRole("menuitem", { name: "Choice" }).click();
    await dialog.getByLabel("Question").fill("Size");
    await dialog.getByLabel("Options").fill("Small\nLarge");
    await dialog.getByRole("button", { name: "Move field 2 up" }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create form" }).click();
    await expect(dialog.getByText("Say what you use the answers for")).toBeVisible();
    await dialog.getByLabel("Consent", { exact: true }).fill("Acme calls me about the offer.");
    await dialog.getByLabel("Consent to messages").fill("Send me news");
    await dialog.getByLabel("Responsible organisation").fill("Acme Ltd, London");
    await dialog.getByLabel("Privacy policy URL").fill("https://acme.example/privacy");
    await dialog.getByRole("button", { name: "Create form" }).click();
    await expect(page.getByText("“Offer” was created.")).toBeVisible();
    await expect(page.getByRole("cell", { name: "Published" })).toBeVisible();
  });

  await test.step("a link shows it", async () => {
    await page.goto(`/app/${slug}/links`);
    await untilAlive(page);
    const sheet = await openEditor(page);
    await sheet.getByRole("switch", { name: "More options", exact: true }).click();
    await sheet.getByRole("combobox", { name: "Form", exact: true }).click();
    await page.getByRole("option", { name: "Offer" }).click();
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
  });

  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await test.step(`its page is accessible, ${width} pixels wide and ${colorScheme}`, async () => {
      const visitor = await browser.newContext({
        userAgent: desktopAgent,
        locale: "zh-CN",
        viewport: { width, height: 844 },
        colorScheme,
      });
      const shown = await visitor.newPage();
      await shown.goto(link.shortLink);
      await expect(shown.getByLabel("手机号码")).toHaveValue("+86 ");
      await expectAccessible(shown);
      await visitor.close();
    });
  }

  const visitor = await browser.newContext({ userAgent: desktopAgent, locale: "en-GB" });
  const shown = await visitor.newPage();

  await test.step("a visitor corrects what is wrong, goes on, and is remembered", async () => {
    await shown.goto(link.shortLink);
    await shown.getByRole("radio", { name: "Large" }).check();
    await shown.getByLabel("Phone number").fill("123");
    await shown.getByLabel("Acme calls me about the offer.").check();
    await expect(shown.getByLabel("Send me news")).not.toBeChecked();
    await shown.getByRole("button", { name: "Continue" }).click();
    await expect(shown.getByText("Enter a phone number with its country code")).toBeVisible();
    await expect(shown.getByRole("radio", { name: "Large" })).toBeChecked();
    await expectAccessible(shown);
    await shown.getByLabel("Phone number").fill("020 7946 0018");
    await shown.getByRole("button", { name: "Continue" }).click();
    await expect(shown.getByRole("heading", { name: "You have arrived" })).toBeVisible();
    await shown.goto(link.shortLink);
    await expect(shown.getByRole("heading", { name: "You have arrived" })).toBeVisible();
  });

  await test.step("a contact has the answers and clicks, and is found by the phone", async () => {
    await page.goto(`/app/${slug}/forms`);
    await page.getByRole("link", { name: "Show Offer" }).click();
    await expect(page.getByText("People who answered “Offer”.")).toBeVisible();
    await untilAlive(page);
    await page.getByLabel("Search by phone number or email address").fill("+442079460018");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("One contact found.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "+442079460018" }).click();
    await expect(page.getByText("Agreed to: Acme calls me about the offer.")).toBeVisible();
    await expect(page.getByText("Large", { exact: true })).toBeVisible();
    await expect(async () => {
      await page.reload();
      const clicks = page.locator("section, article, div").filter({ hasText: "Clicks" }).first();
      await expect(clicks.locator("time").nth(1)).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expectAccessible(page);
  });

  await test.step("the contact is erased", async () => {
    await untilAlive(page);
    await page.getByRole("button", { name: "Erase contact" }).click();
    await page.getByRole("button", { name: "Erase data" }).click();
    await expect(page.getByText("No contacts yet")).toBeVisible();
  });
  await visitor.close();
});
