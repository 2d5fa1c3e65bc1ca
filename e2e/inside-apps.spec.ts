/** Links inside apps: the setting in the editor, and the page that visitors get, on a phone and a computer. */
import { randomUUID } from "node:crypto";
import { type Browser, expect, type Page } from "@playwright/test";
import { inApp } from "./agents.ts";
import {
  expectAccessible,
  expectNoOverflow,
  openDestination,
  test,
  untilAlive,
} from "./journey.ts";
import { openEditor } from "./link-form.ts";

const phone = { width: 360, height: 740 };
/** Where apps have the menu that the arrow points to; the page of the first one is drawn. */
const apps = {
  top: [
    inApp.wechatIos,
    inApp.wechatAndroid,
    inApp.qqIos,
    inApp.qqAndroid,
    inApp.messengerAndroid,
    inApp.facebookAndroid,
  ],
  bottom: [inApp.messengerIos, inApp.facebookIos],
} as const;
type Menu = keyof typeof apps;
const title = "Open this link in your browser";
const arrived = "You have arrived";

async function openAs(browser: Browser, userAgent: string, more: object = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: phone,
    locale: "en-GB",
    userAgent,
    ...more,
  });
  return await context.newPage();
}

/** Where the arrow of a page starts and ends on the screen. */
async function arrowOf(page: Page): Promise<{ from: DOMPoint; to: DOMPoint }> {
  return await page.evaluate(() => {
    const path = document.querySelector("svg path");
    if (!(path instanceof SVGGeometryElement)) throw new Error("no arrow");
    const matrix = path.getScreenCTM();
    // The first stroke of the path is the shaft; the tip of its head is its rightmost point.
    const points = Array.from({ length: 201 }, (_, at) =>
      path
        .getPointAtLength((path.getTotalLength() * at) / 200)
        .matrixTransform(matrix ?? undefined),
    );
    const tip = points.reduce((best, one) => (one.x > best.x ? one : best));
    const from = points[0] ?? tip;
    return { from: { x: from.x, y: from.y }, to: { x: tip.x, y: tip.y } } as {
      from: DOMPoint;
      to: DOMPoint;
    };
  });
}

/**
 * The corner of the screen with the menu, for pictures. It has strokes without text, so that it is the same with any
 * fonts; browsers smooth the edges of strokes differently. `TEST_WRITE=1 npm test e2e -- inside-apps` draws the pictures
 * again.
 */
function cornerOf(menu: Menu) {
  const { width, height } = phone;
  const size = { width: 160, height: 140 };
  const y = menu === "top" ? 0 : height - size.height;
  return { clip: { x: width - size.width, y, ...size }, maxDiffPixelRatio: 0.02 };
}

test("an owner chooses the page inside apps, and visitors leave the app or continue", async ({
  page,
  browser,
  workspace,
}) => {
  const { url } = await openDestination(arrived);
  const { shortLink } = await workspace.make<{ shortLink: string }>("/links", {
    url,
    key: `in-${randomUUID()}`,
  });
  await page.goto(`/app/${workspace.slug}/links`);
  await untilAlive(page);

  await test.step("the editor has the setting, with its errors at their fields", async () => {
    const sheet = await openEditor(page);
    await sheet.getByRole("switch", { name: "Targeting" }).click();
    const choice = sheet.getByRole("combobox", { name: "In WeChat, QQ, Instagram and other apps" });
    await choice.click();
    await page.getByRole("option", { name: "Open a WeChat mini program" }).click();
    await sheet.getByLabel("Mini program AppID").fill("gh_1");
    await sheet.getByLabel("Mini program page").fill("pages/index?a=1");
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet.getByText("Enter the AppID of the mini program")).toBeVisible();
    await expect(sheet.getByText("Enter the path of a page")).toBeVisible();
    await expectAccessible(page);
    await choice.click();
    await page.getByRole("option", { name: "Show how to open it in a browser" }).click();
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet).toBeHidden();
    await expect(page.getByText("Inside apps", { exact: true })).toBeVisible();
  });

  await test.step("in each app the arrow points to its menu", async () => {
    for (const menu of ["top", "bottom"] as const) {
      for (const agent of apps[menu]) {
        const headers = { "User-Agent": agent };
        const answer = await page.request.get(shortLink, { headers });
        expect(await answer.text(), agent).toContain(`<svg class="arrow ${menu}"`);
      }
      const visitor = await openAs(browser, apps[menu][0]);
      await visitor.goto(shortLink);
      await expect(visitor.getByRole("heading", { level: 1, name: title })).toBeVisible();
      const { from, to } = await arrowOf(visitor);
      expect(to.x).toBeGreaterThan(from.x);
      expect(to.x).toBeGreaterThan(phone.width * 0.7);
      if (menu === "bottom") expect(to.y).toBeGreaterThan(phone.height - 60);
      else expect(to.y).toBeLessThan(60);
      await expectNoOverflow(visitor);
      await expect(visitor).toHaveScreenshot(`menu-${menu}.png`, cornerOf(menu));
      if (menu === "bottom") {
        await expect(visitor).not.toHaveScreenshot("menu-top.png", cornerOf(menu));
      }
      await visitor.context().close();
    }
  });

  await test.step("the link can be copied, and the visit continued", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const visitor = await openAs(browser, inApp.wechatIos, { permissions, colorScheme: "dark" });
    await visitor.goto(shortLink);
    await visitor.getByRole("button", { name: "Copy link" }).click();
    await expect(visitor.getByRole("status")).toContainText("Link copied");
    expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(shortLink);
    await expectAccessible(visitor);
    await expect(visitor).toHaveScreenshot("menu-dark.png", cornerOf("top"));
    await visitor.getByRole("link", { name: "Continue here anyway" }).click();
    await expect(visitor.getByRole("heading", { name: arrived })).toBeVisible();
    await visitor.context().close();
  });

  await test.step("without scripts the link is there to select, in Chinese too", async () => {
    const visitor = await openAs(browser, inApp.wechatAndroid, {
      javaScriptEnabled: false,
      locale: "zh-CN",
      viewport: { width: 1_280, height: 800 },
    });
    await visitor.goto(shortLink);
    await expect(visitor.getByRole("heading", { name: "请在浏览器中打开" })).toBeVisible();
    await expect(visitor.getByLabel("链接", { exact: true })).toHaveValue(shortLink);
    await expect(visitor.getByRole("button", { name: "复制链接" })).toBeHidden();
    await visitor.context().close();
  });

  await test.step("the page of the link says it in words", async () => {
    await page
      .getByRole("link", { name: shortLink.replace(/^https?:\/\//, ""), exact: true })
      .click();
    await expect(page.getByText("Shows how to open the link in a browser.").first()).toBeVisible();
  });
});
