/** A form before a link: from the dashboard to a visitor, a contact and its erasure. */
import { expect } from "@playwright/test";
import { type SmsGateway, settingsOf, startSmsGateway } from "../test/gateways.ts";
import { inApp } from "./agents.ts";
import {
  desktopAgent,
  expectAccessible,
  expectNoOverflow,
  openDestination,
  test,
  untilAlive,
  untilCounted,
} from "./journey.ts";
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
    await dialog.getByLabel("Responsible organization").fill("Acme Ltd, London");
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
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
  });

  await test.step("its page is accessible on a phone, in Chinese and dark", async () => {
    const context = await browser.newContext({
      userAgent: inApp.wechatIos,
      locale: "zh-CN",
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
    });
    const phone = await context.newPage();
    await phone.goto(link.shortLink);
    await expect(phone.getByLabel("手机号码")).toHaveValue("+86 ");
    await expectAccessible(phone);
    await expectNoOverflow(phone);
    await context.close();
  });

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
    await untilCounted(page, slug, 2);
    await page.goto(`/app/${slug}/forms`);
    await page.getByRole("link", { name: "Show Offer" }).click();
    await expect(page.getByText("People who answered “Offer”.")).toBeVisible();
    await untilAlive(page);
    await page.getByLabel("Search by phone number").fill("+442079460018");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("One contact found.")).toBeVisible();
    await page.getByRole("link", { name: "+442079460018" }).click();
    await expect(page.getByText("Agreed to: Acme calls me about the offer.")).toBeVisible();
    await expect(page.getByText("Large", { exact: true })).toBeVisible();
    const clicks = page.locator("section, article, div").filter({ hasText: "Clicks" }).first();
    await expect(clicks.locator("time").nth(1)).toBeVisible();
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

/** The newest code that a phone got. */
async function codeFor(gateway: SmsGateway, phone: string, messages: number): Promise<string> {
  const sent = () => gateway.sent.filter((one) => one.phone === phone);
  await expect.poll(() => sent().length).toBe(messages);
  return /\d{6}/.exec(String(sent().at(-1)?.text))?.[0] ?? "";
}

test("a phone is confirmed by a code before the answer counts", async ({
  page,
  browser,
  workspace: { slug, make },
}) => {
  const gateway = await startSmsGateway();
  const { url } = await openDestination("You have arrived");
  await make("/gateways", {
    name: "Local",
    settings: settingsOf(gateway, "http"),
    secret: gateway.secret,
    rate: 100,
  });

  await test.step("a form starts with a preset, and sends codes with a gateway", async () => {
    await page.goto(`/app/${slug}/forms`);
    await untilAlive(page);
    await page.getByRole("button", { name: "Create form" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create a form" });
    await dialog.getByLabel("Form name").fill("Callback");
    await dialog.getByRole("button", { name: "Age check" }).click();
    await expect(dialog.getByLabel("Text beside the box")).toHaveValue(
      "I am at least 18 years old",
    );
    await expect(dialog.getByLabel("Consent", { exact: true })).toHaveCount(0);
    await expect(dialog.getByRole("switch", { name: "Confirm the phone number" })).toHaveCount(0);
    await dialog
      .getByRole("group", { name: "Start with" })
      .getByRole("button", { name: "Phone number" })
      .click();
    await expect(dialog.getByLabel("Title", { exact: true })).toHaveValue(
      "Enter your phone number",
    );
    await dialog.getByRole("switch", { name: "Confirm the phone number by SMS" }).click();
    await dialog.getByLabel("Countries for codes").fill("CN");
    await expect(dialog.getByText("No SMS is sent")).toBeVisible();
    await dialog.getByLabel("Sent with").click();
    await page.getByRole("option", { name: "Local" }).click();
    await dialog.getByLabel("Consent", { exact: true }).fill("Acme calls me back.");
    await dialog.getByLabel("Responsible organization").fill("Acme Ltd, London");
    await dialog.getByLabel("Privacy policy URL").fill("https://acme.example/privacy");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create form" }).click();
    await expect(page.getByText("“Callback” was created.")).toBeVisible();
  });

  const forms = await page.request.get("/api/forms", { headers: { "X-Fuxi-Workspace": slug } });
  const [form] = Object(await forms.json());
  const link = await make<{ shortLink: string }>("/links", { url, formId: form.id });

  await test.step("inside WeChat, a visitor enters the code", async () => {
    const context = await browser.newContext({
      userAgent: inApp.wechatIos,
      locale: "zh-CN",
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
    });
    const visitor = await context.newPage();
    await visitor.goto(link.shortLink);
    await visitor.getByLabel("手机号码").fill("138 0013 8061");
    await visitor.getByLabel("Acme calls me back.").check();
    await visitor.getByRole("button", { name: "Continue" }).click();
    await expect(visitor.getByRole("heading", { name: "输入验证码" })).toBeVisible();
    await expect(visitor.getByText("+86 **** 61")).toBeVisible();
    const code = await codeFor(gateway, "+8613800138061", 1);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    await visitor.getByLabel("验证码", { exact: true }).fill(wrong);
    await visitor.keyboard.press("Enter");
    await expect(visitor.getByText("验证码错误，还可尝试 4 次。")).toBeVisible();
    await visitor.getByRole("button", { name: "重新发送" }).click();
    await expect(visitor.getByText("距上次发送不足一分钟")).toBeVisible();
    await visitor.reload();
    await visitor.getByLabel("验证码", { exact: true }).fill(code);
    await visitor.keyboard.press("Enter");
    await expect(visitor.getByRole("heading", { name: "You have arrived" })).toBeVisible();
    await context.close();
  });

  await test.step("the page for the code is accessible on a phone", async () => {
    const context = await browser.newContext({
      userAgent: desktopAgent,
      locale: "en-GB",
      viewport: { width: 390, height: 844 },
    });
    const visitor = await context.newPage();
    await visitor.goto(link.shortLink);
    await visitor.getByLabel("Phone number").fill("+8613800138062");
    await visitor.getByLabel("Acme calls me back.").check();
    await visitor.getByRole("button", { name: "Continue" }).click();
    await expect(visitor.getByLabel("Code", { exact: true })).toBeFocused();
    await visitor.getByLabel("Code", { exact: true }).fill("12");
    await visitor.getByRole("button", { name: "Confirm" }).click();
    await expect(visitor.getByText("Enter the 6 digits of the code.")).toBeVisible();
    await expectAccessible(visitor);
    await expectNoOverflow(visitor);
    await visitor.getByRole("link", { name: "Use another phone number" }).click();
    await expect(visitor.getByLabel("Phone number")).toBeVisible();
    await context.close();
  });

  await test.step("only the confirmed phone is a contact", async () => {
    await page.goto(`/app/${slug}/contacts`);
    await untilAlive(page);
    await expect(page.getByRole("cell", { name: "+8613800138061 Confirmed by SMS" })).toBeVisible();
    await expect(page.getByText("+8613800138062")).toHaveCount(0);
    await page.getByRole("link", { name: "+8613800138061" }).click();
    await expect(page.getByText("Phone number confirmed")).toBeVisible();
  });
  await gateway.close();
});
