/** Mini programs: the account in the settings, and visits from WeChat and other browsers on iPhone and Android. */
import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { startWechat } from "../test/wechat.ts";
import { expectAccessible, openDestination, test, untilAlive } from "./journey.ts";
import { iphone } from "./link-form.ts";

const phone = { width: 390, height: 844 };
const desktop = { width: 1_440, height: 900 };
const android =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/134.0.0.0 Mobile Safari/537.36";
const agents = {
  iphone: `${iphone} Version/18.7 Safari/604.1`,
  wechatIos: `${iphone} MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN`,
  wechatAndroid: `${android} XWEB/1340157 MicroMessenger/8.0.57.2820(0x28003939) Weixin NetType/WIFI`,
} as const;
const appId = "wx00000000000e2e00";
const officialId = "wx00000000000e2e01";
const appSecret = "0123456789abcdefABCDEF0123456789";
/** Of the page, with the query of the link. */
const urlLink = /^https:\/\/wxaurl\.cn\/\w+\?cq=from%3Dmail$/;
/** The job runs every 30 seconds. */
const untilMade = { timeout: 90_000 };

/** What a visitor gets: where it is sent, or the text of a page. */
async function answerFor(page: Page, userAgent: string, url: string): Promise<string> {
  const headers = { "user-agent": userAgent, "accept-language": "en-GB" };
  const answer = await page.request.get(url, { headers, maxRedirects: 0 });
  return answer.headers()["location"] ?? (await answer.text());
}

/** At both widths, and in the other colors. */
async function look(page: Page, name: (part: string) => string): Promise<void> {
  for (const [part, size] of Object.entries({ wide: desktop, phone })) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await page.screenshot({ path: name(`${part}-${colorScheme}.png`) });
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wider, `${part} scrolls sideways`).toBe(false);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(desktop);
}

test("an owner adds a mini program, and links open it inside WeChat and outside", async ({
  page,
  workspace,
}, info) => {
  test.setTimeout(300_000);
  const wechat = await startWechat(Number(new URL(process.env["FUXI_WECHAT_URL"] ?? "").port));
  wechat.addApp(appId, appSecret);
  const { url, server } = await openDestination("You have arrived");
  const link = await workspace.make<{ id: string; shortLink: string }>("/links", {
    url,
    key: `wx-${randomUUID()}`,
    insideApps: { open: "miniProgram", appId, path: "pages/index/index", query: "from=mail" },
  });
  const settings = `/app/${workspace.slug}/settings/wechat`;
  const card = page.getByRole("listitem").filter({ hasText: appId });

  await test.step("without the account, WeChat shows how to open the browser", async () => {
    expect(await answerFor(page, agents.wechatIos, link.shortLink)).toContain(
      "Open this link in your browser",
    );
  });

  await test.step("wrong values are said at their fields, and the AppSecret is not shown", async () => {
    await page.goto(settings);
    await untilAlive(page);
    await page.getByRole("button", { name: "Add account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Tea shop");
    await dialog.getByLabel("AppID").fill("gh_1");
    await dialog.getByRole("button", { name: "Add account" }).click();
    await expect(dialog.getByText("Enter the AppID", { exact: false })).toBeVisible();
    await expect(dialog.getByText("Enter the AppSecret", { exact: false })).toBeVisible();
    await expectAccessible(page, "[role=dialog]");
    await page.screenshot({ path: info.outputPath("dialog.png") });
    await dialog.getByLabel("AppID").fill(appId);
    await dialog.getByLabel("AppSecret").fill("f".repeat(32));
    await dialog.getByRole("button", { name: "Add account" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Check Tea shop now" }).click();
    await expect(card.getByText("WeChat refuses the AppSecret", { exact: false })).toBeVisible();
    await look(page, (part) => info.outputPath(`secret-${part}`));
  });

  await test.step("the address that WeChat does not allow is shown", async () => {
    wechat.fault = ({ path }) => (path === "/cgi-bin/stable_token" ? 40164 : undefined);
    await page.getByRole("button", { name: "Edit Tea shop" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("AppSecret")).toHaveValue("");
    await dialog.getByLabel("AppSecret").fill(appSecret);
    await dialog.getByRole("button", { name: "Save account" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Check Tea shop now" }).click();
    await expect(card.getByText("203.0.113.7")).toBeVisible();
    await look(page, (part) => info.outputPath(`address-${part}`));
    wechat.fault = undefined;
    await page.getByRole("button", { name: "Check Tea shop now" }).click();
    await expect(card.getByText("203.0.113.7")).toBeHidden();
  });

  await test.step("WeChat and browsers on phones open the mini program, others the destination", async () => {
    await expect
      .poll(() => answerFor(page, agents.iphone, link.shortLink), untilMade)
      .toMatch(urlLink);
    for (const agent of [agents.wechatIos, agents.wechatAndroid]) {
      expect(await answerFor(page, agent, link.shortLink)).toMatch(urlLink);
    }
    await page.goto(link.shortLink);
    await expect(page.getByRole("heading", { name: "You have arrived" })).toBeVisible();
    expect(wechat.callsTo("/wxa/generate_urllink")).toHaveLength(1);
  });

  await test.step("the code of the mini program is downloaded", async () => {
    await page.goto(`/app/${workspace.slug}/links/${link.id}/qr`);
    await untilAlive(page);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download code" }).click();
    expect((await downloading).suggestedFilename()).toMatch(/-wechat\.png$/);
    await look(page, (part) => info.outputPath(`code-${part}`));
  });

  await test.step("the domain of an official account has the file that WeChat asks for", async () => {
    const domain = `tea-${randomUUID()}.localhost`;
    await workspace.make("/domains", { slug: domain });
    wechat.addApp(officialId, appSecret);
    await page.goto(settings);
    await untilAlive(page);
    await page.getByRole("button", { name: "Add account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Official account", { exact: true }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Tea news");
    await dialog.getByLabel("AppID").fill(officialId);
    await dialog.getByLabel("AppSecret").fill(appSecret);
    await dialog.getByRole("button", { name: "Add account" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Add a domain to Tea news" }).click();
    await dialog.getByLabel("File from WeChat").setInputFiles({
      name: "MP_verify_a1B2c3D4e5F6g7H8.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("a1B2c3D4e5F6g7H8\n"),
    });
    await expect(dialog.getByLabel("Content")).toHaveValue("a1B2c3D4e5F6g7H8");
    await expectAccessible(page, "[role=dialog]");
    await page.screenshot({ path: info.outputPath("domain.png") });
    await dialog.getByRole("button", { name: "Save domain" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("MP_verify_a1B2c3D4e5F6g7H8.txt")).toBeVisible();
    await look(page, (part) => info.outputPath(`official-${part}`));

    const { port } = new URL(link.shortLink);
    await page.goto(`http://${domain}:${port}/MP_verify_a1B2c3D4e5F6g7H8.txt`);
    await expect(page.getByText("a1B2c3D4e5F6g7H8", { exact: true })).toBeVisible();
  });

  await test.step("in Chinese", async () => {
    await page.setExtraHTTPHeaders({ "accept-language": "zh-CN" });
    await page.goto(settings);
    await page.screenshot({ path: info.outputPath("chinese.png") });
  });
  server.close();
  await wechat.close();
});
