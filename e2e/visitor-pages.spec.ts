/** The pages of short links, on a phone: in both languages, light and dark, with and without scripts. */
import { randomUUID } from "node:crypto";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { inApp, iphone } from "./agents.ts";
import {
  expectAccessible,
  expectNoOverflow,
  openDestination,
  openSite,
  siteOrigin,
  test,
  untilAlive,
  type Workspace,
} from "./journey.ts";

const languages = {
  en: {
    locale: "en-GB",
    colorScheme: "light",
    asks: "Enter the password",
    label: "Password",
    go: "Continue",
    wrong: "Incorrect password",
    leads: "Link preview",
    ended: "Link expired",
    missing: "Link not found",
    here: "Continue here anyway",
    outside: "Open this link in your browser",
    call: "Call this number",
  },
  zh: {
    locale: "zh-TW",
    colorScheme: "dark",
    asks: "请输入密码",
    label: "密码",
    go: "继续",
    wrong: "密码错误",
    leads: "链接预览",
    ended: "链接已失效",
    missing: "链接不存在",
    here: "仍在此处打开",
    outside: "请在浏览器中打开",
    call: "拨打电话",
  },
} as const;
type VisitorTexts = (typeof languages)[keyof typeof languages];

const phone = { width: 360, height: 740 };
const password = "open sesame";
const color = "#ffe066";

interface Links {
  password: string;
  plain: string;
  long: string;
  ended: string;
  app: string;
  call: string;
  frame: string;
}

async function makeLinks({ make }: Workspace, url: string): Promise<Links> {
  const makeLink = async (body: object) => {
    const data = { url, key: `v-${randomUUID()}`, ...body };
    return (await make<{ shortLink: string }>("/links", data)).shortLink;
  };
  // The host of the dashboard shows no frames.
  const makeFramed = async () => {
    const domain = `frames-${randomUUID()}.localhost`;
    await make("/domains", { slug: domain });
    return await makeLink({ domain, rewrite: true, title: "Autumn edition" });
  };
  return {
    password: await makeLink({ password }),
    plain: await makeLink({ title: "Autumn edition" }),
    long: await makeLink({
      url: `https://user@аpple.com/${"x".repeat(700)}`,
      ios: "tg://x",
      title: "秋",
    }),
    ended: await makeLink({ expiresAt: "2020-01-01T00:00:00Z" }),
    app: await makeLink({ ios: "whatsapp://send?text=hello" }),
    call: await makeLink({ ios: "tel:+4930123456" }),
    frame: await makeFramed(),
  };
}

test("the settings suggest the color and logo of the site of the links, and the shared domain stays neutral", async ({
  page,
  workspace,
}) => {
  const background = "#c02040";
  const icon = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
  const home = Buffer.from('<meta name="theme-color" content="#0f766e">');
  const site = await openSite({ "/": home, "/favicon.ico": icon });
  const { host } = new URL(site.url);
  const { shortLink } = await workspace.make<{ shortLink: string }>("/links", {
    url: `${site.url}/spring`,
    key: `v-${randomUUID()}`,
    password,
  });
  await page.goto(`/app/${workspace.slug}/settings`);
  await untilAlive(page);
  const offer = page.getByRole("region", { name: "Suggested branding" });
  const chosen = page.getByLabel("Color", { exact: true });
  const updated = page.getByText("Visitor pages updated");
  await expect(offer).toContainText(`Color and logo of ${host}`);
  await expect(offer.getByRole("img", { name: `Logo of ${host}` })).toBeVisible();
  await expectAccessible(page);
  await offer.getByRole("button", { name: "Use" }).click();
  await expect(updated.first()).toBeVisible();
  await expect(offer).toBeHidden();
  await expect(chosen).toHaveValue("#0f766e");
  await page.reload();
  await untilAlive(page);
  await expect(page.getByRole("button", { name: "Remove", exact: true })).toBeVisible();
  await chosen.fill(color);
  await chosen.press("Enter");
  await expect(updated.first()).toBeVisible();
  await page.goto(shortLink);
  await expectNeutral(page.getByRole("button", { name: languages.en.go }));
  site.server.close();
});

for (const texts of Object.values(languages)) {
  test(`pages that end a visit, ask for a password, preview and leave apps, in ${texts.locale} and ${texts.colorScheme}`, async ({
    page,
    browser,
    workspace,
  }) => {
    const { url, server } = await openDestination("You have arrived");
    const links = await makeLinks(workspace, url);
    const headers = { Origin: siteOrigin, "X-Fuxi-Workspace": workspace.slug };
    const branding = await page.request.patch("/api/page-look", { headers, data: { color } });
    expect(branding.ok(), await branding.text()).toBe(true);
    const visitor = await openVisitor(browser, texts);

    await test.step("the end of a visit", async () => {
      await expectPage(visitor, links.ended, texts.ended);
      await expectPage(visitor, `${links.ended}-nobody`, texts.missing);
      await expectPage(visitor, `${links.long}+`, texts.leads);
      await expect(visitor.getByText("xn--pple-43d.com", { exact: true })).toBeVisible();
    });

    await test.step("a preview leads on when its visitor says so", async () => {
      await visitor.goto(`${links.plain}+`);
      await expect(visitor.getByText("Autumn edition")).toBeVisible();
      await visitor.getByRole("link", { name: texts.go }).click();
      await expectArrived(visitor);
    });

    await test.step("a password, wrong and right, with and without scripts", async () => {
      await expectPage(visitor, links.password, texts.asks);
      await givePasswords(visitor, links.password, texts);
      const plain = await openVisitor(browser, texts, { javaScriptEnabled: false });
      await givePasswords(plain, links.password, texts);
      await plain.context().close();
    });

    await test.step("a frame shows the destination under the short address", async () => {
      await visitor.goto(links.frame);
      const frame = visitor.frameLocator('iframe[title="Autumn edition"]');
      await expect(frame.getByRole("heading", { name: "You have arrived" })).toBeVisible();
      await expect(visitor).toHaveURL(links.frame);
    });
    await visitor.context().close();

    await test.step("apps", async () => {
      const called = await openVisitor(browser, texts, { userAgent: iphone });
      await expectPage(called, links.call, texts.call);
      await expect(called.getByText("+4930123456")).toBeVisible();
      await called.context().close();
      const inWeChat = await openVisitor(browser, texts, { userAgent: inApp.wechatIos });
      await expectPage(inWeChat, links.app, texts.outside);
      await inWeChat.getByRole("link", { name: texts.here }).click();
      await expectArrived(inWeChat);
      await inWeChat.context().close();
    });
    server.close();
  });
}

async function openVisitor(
  browser: Browser,
  texts: VisitorTexts,
  more: object = {},
): Promise<Page> {
  const { locale, colorScheme } = texts;
  const context = await browser.newContext({ viewport: phone, locale, colorScheme, ...more });
  return await context.newPage();
}

/** The page is displayed, is accessible, and fits a phone without horizontal scrolling. */
async function expectPage(visitor: Page, link: string, heading: string): Promise<void> {
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expectAccessible(visitor);
  await expectNoOverflow(visitor);
}

async function expectArrived(visitor: Page): Promise<void> {
  await expect(visitor.getByRole("heading", { name: "You have arrived" })).toBeVisible();
}

/** The domain of the instance is shared, so its pages never have the color of a workspace. */
async function expectNeutral(button: Locator): Promise<void> {
  await expect(button).toBeVisible();
  await expect(button).not.toHaveCSS("background-color", "rgb(255, 224, 102)");
}

async function givePasswords(visitor: Page, link: string, texts: VisitorTexts): Promise<void> {
  const give = async (text: string) => {
    await visitor.getByLabel(texts.label, { exact: true }).fill(text);
    await visitor.getByRole("button", { name: texts.go }).click();
  };
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: texts.asks })).toBeVisible();
  await expectNeutral(visitor.getByRole("button", { name: texts.go }));
  await give("open says me");
  await expect(visitor.getByRole("heading", { name: texts.wrong })).toBeVisible();
  await expect(visitor.getByLabel(texts.label, { exact: true })).toHaveAttribute("aria-invalid");
  await give(password);
  await expectArrived(visitor);
}
