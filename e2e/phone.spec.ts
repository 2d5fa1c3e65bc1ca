import { expect } from "@playwright/test";
import { chinese, click, expectAccessible, signUp, test, untilCounted } from "./journey.ts";
import { noticeIn, shortLinkIn } from "./link-form.ts";

test.use({
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  locale: "zh-CN",
  timezoneId: "Asia/Shanghai",
  colorScheme: "dark",
});

test("on a phone, in Chinese and dark", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("短链接");
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
  const { slug } = await signUp(page, chinese);

  await test.step("create a link", async () => {
    await page.getByRole("button", { name: "创建链接" }).first().tap();
    const dialog = page.getByRole("dialog", { name: "创建链接" });
    await dialog.getByLabel("目标网址").fill("没有网址");
    await dialog.getByRole("button", { name: "创建链接" }).tap();
    await expect(dialog.getByLabel("目标网址")).toHaveAccessibleDescription(/请填写以 https/);
    await dialog.getByLabel("目标网址").fill("https://example.com/autumn");
    await dialog.getByLabel("后缀").fill(`活动-${Date.now().toString(36)}`);
    await dialog.getByRole("button", { name: "创建链接" }).tap();
    const shortLink = await shortLinkIn(noticeIn(page, "链接已创建"));
    await expectAccessible(page);
    await click(page, shortLink);
  });

  await test.step("select, archive and take it back", async () => {
    const list = page.getByRole("list", { name: "链接", exact: true });
    await list.getByRole("checkbox", { name: /活动-/ }).check();
    await expectAccessible(page);
    const bar = page.getByRole("region", { name: "已选链接" });
    await bar.getByRole("button", { name: "归档" }).tap();
    await page.getByRole("button", { name: "撤销" }).tap();
    await expect(list.getByRole("link", { name: /活动-/ })).toBeVisible();
  });

  await test.step("see the click in the chart", async () => {
    await untilCounted(page, slug, 1);
    const list = page.getByRole("list", { name: "链接", exact: true });
    await list.getByRole("link", { name: /活动-/ }).tap();
    await page.waitForURL("**/links/link_*");
    await expect(page.getByRole("img", { name: /1 次点击，1 位访客/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("go elsewhere through the navigation", async () => {
    await page.getByRole("button", { name: "打开导航" }).tap();
    const navigation = page.getByRole("dialog", { name: "导航" });
    await expectAccessible(page);
    await navigation.getByRole("link", { name: "设置" }).tap();
    await expect(page.getByRole("heading", { name: "通用" })).toBeVisible();
    await page.getByRole("button", { name: "打开导航" }).tap();
    await navigation.getByRole("searchbox", { name: "搜索设置" }).fill("api");
    await expectAccessible(page);
    await navigation.getByRole("link", { name: "API 密钥" }).tap();
    await expect(page.getByRole("heading", { name: "还没有 API 密钥" })).toBeVisible();
    await expect(navigation).toBeHidden();
  });

  await test.step("nothing is wider than the screen", async () => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
