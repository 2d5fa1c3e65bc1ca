/**
 * Mini programs: the account in the settings, visits from WeChat and other browsers on iPhone and Android, and the page
 * with a button of WeChat.
 */
import { createHash, randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { startWechat } from "../test/wechat.ts";
import { newOpenid } from "../test/wechat-users.ts";
import { inApp, iphone } from "./agents.ts";
import {
  expectAccessible,
  expectFitsPhone,
  expectNoOverflow,
  openDestination,
  siteOrigin,
  test,
  untilAlive,
} from "./journey.ts";

const phone = { width: 390, height: 844 };
const desktop = { width: 1_440, height: 900 };
const appId = "wx00000000000e2e00";
const officialId = "wx00000000000e2e01";
const appSecret = "0123456789abcdefABCDEF0123456789";
/** The URL of the page, with the query of the link. */
const urlLink = /^https:\/\/wxaurl\.cn\/\w+\?cq=from%3Dmail$/;
/** The job runs every 30 seconds. */
const untilMade = { timeout: 90_000 };

/** What a visitor gets: where it is sent, or the text of a page. */
async function answerFor(page: Page, userAgent: string, url: string): Promise<string> {
  const headers = { "user-agent": userAgent, "accept-language": "en-GB" };
  const answer = await page.request.get(url, { headers, maxRedirects: 0 });
  return answer.headers()["location"] ?? (await answer.text());
}

/** On a phone as well. */
async function look(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.setViewportSize(desktop);
}

test("an owner adds a mini program, and links open it inside WeChat and outside", async ({
  page,
  workspace,
}) => {
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
    expect(await answerFor(page, inApp.wechatIos, link.shortLink)).toContain(
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
    await dialog.getByLabel("AppID").fill(appId);
    await dialog.getByLabel("AppSecret").fill("f".repeat(32));
    await dialog.getByRole("button", { name: "Add account" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Check now: Tea shop" }).click();
    await expect(card.getByText("WeChat refuses the AppSecret", { exact: false })).toBeVisible();
  });

  await test.step("the address that WeChat does not allow is shown", async () => {
    wechat.fault = ({ path }) => (path === "/cgi-bin/stable_token" ? 40164 : undefined);
    await page.getByRole("button", { name: "Edit Tea shop" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("AppSecret")).toHaveValue("");
    await dialog.getByLabel("AppSecret").fill(appSecret);
    await dialog.getByRole("button", { name: "Save account" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Check now: Tea shop" }).click();
    await expect(card.getByText("203.0.113.7")).toBeVisible();
    await look(page);
    wechat.fault = undefined;
    await page.getByRole("button", { name: "Check now: Tea shop" }).click();
    await expect(card.getByText("203.0.113.7")).toBeHidden();
  });

  await test.step("WeChat and browsers on phones open the mini program, others the destination", async () => {
    await expect.poll(() => answerFor(page, iphone, link.shortLink), untilMade).toMatch(urlLink);
    for (const agent of [inApp.wechatIos, inApp.wechatAndroid]) {
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
    await look(page);
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
    await page.getByRole("button", { name: "Add domain to Tea news" }).click();
    await dialog.getByLabel("File from WeChat").setInputFiles({
      name: "MP_verify_a1B2c3D4e5F6g7H8.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("a1B2c3D4e5F6g7H8\n"),
    });
    await expect(dialog.getByLabel("Content")).toHaveValue("a1B2c3D4e5F6g7H8");
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Save domain" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("MP_verify_a1B2c3D4e5F6g7H8.txt")).toBeVisible();

    const { port } = new URL(link.shortLink);
    await page.goto(`http://${domain}:${port}/MP_verify_a1B2c3D4e5F6g7H8.txt`);
    await expect(page.getByText("a1B2c3D4e5F6g7H8", { exact: true })).toBeVisible();
  });
  server.close();
  await wechat.close();
});

const callbackId = "wx00000000000e2e02";

test("visitors inside WeChat share name and picture with a form, or go on without", async ({
  page,
  browser,
  workspace: { slug, make },
}) => {
  test.setTimeout(300_000);
  const wechat = await startWechat(Number(new URL(process.env["FUXI_WECHAT_URL"] ?? "").port));
  wechat.addApp(callbackId, appSecret);
  const picture = "https://thirdwx.qlogo.cn/mmopen/vi_32/abc/132";
  wechat.users.person = { openid: newOpenid(), nickname: "小明", headimgurl: picture };
  const { url, server } = await openDestination("You have arrived");
  const domain = `tea-${randomUUID()}.localhost`;
  await make("/domains", { slug: domain });
  const body = { kind: "officialAccount", name: "Tea", appId: callbackId, secret: appSecret };
  await make("/wechat-accounts", body);

  await test.step("the settings say what is missing, and that it is ready", async () => {
    await page.goto(`/app/${slug}/settings/wechat`);
    await untilAlive(page);
    await expect(page.getByText("For forms that ask for the WeChat account")).toBeVisible();
    await page.getByRole("button", { name: "Add domain to Tea" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("switch", { name: "Also set as callback domain" }).click();
    await dialog.getByRole("button", { name: "Save domain" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("Callback domain", { exact: true })).toBeVisible();
    await expect(page.getByText("Ready: forms can ask")).toBeVisible();
    await look(page);
  });

  await test.step("the form editor shows what visitors share, and what they see", async () => {
    await page.goto(`/app/${slug}/forms`);
    await untilAlive(page);
    await page.getByRole("button", { name: "Create form" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create a form" });
    await dialog.getByLabel("Form name").fill("Members");
    await dialog.getByLabel("Title", { exact: true }).fill("Join the tea club");
    await dialog.getByRole("button", { name: "Remove field 1" }).click();
    await dialog.getByRole("button", { name: "Add field" }).click();
    await page.getByRole("menuitem", { name: "WeChat account" }).click();
    await expect(dialog.getByText(`Callback domains: ${domain}.`)).toBeVisible();
    await expect(dialog.getByText("Share WeChat name and picture")).toBeVisible();
    await dialog.getByText("Only an ID", { exact: true }).click();
    await expect(dialog.getByText("Continue with WeChat", { exact: true })).toBeVisible();
    await dialog.getByText("Name and picture", { exact: true }).click();
    await dialog.getByLabel("Consent", { exact: true }).fill("Acme greets me by my WeChat name.");
    await dialog.getByLabel("Responsible organization").fill("Acme Ltd, London");
    await dialog.getByLabel("Privacy policy URL").fill("https://acme.example/privacy");
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Create form" }).click();
    await expect(page.getByText("“Members” was created.")).toBeVisible();
  });

  const forms = await page.request.get("/api/forms", { headers: { "X-Fuxi-Workspace": slug } });
  const [form] = Object(await forms.json());
  const link = await make<{ shortLink: string }>("/links", { url, domain, formId: form.id });
  const { port } = new URL(process.env["TEST_BASE_URL"] ?? "");
  const address = `http://${domain}:${port}${new URL(link.shortLink).pathname}`;
  const inWechat = async (locale: string, colorScheme: "light" | "dark") =>
    await browser.newContext({
      userAgent: inApp.wechatIos,
      viewport: phone,
      locale,
      colorScheme,
    });

  await test.step("one goes on without, others share", async () => {
    const without = await inWechat("en-GB", "light");
    const visitor = await without.newPage();
    await visitor.goto(address);
    await expect(visitor.getByRole("heading", { name: "Join the tea club" })).toBeVisible();
    await expectAccessible(visitor);
    await visitor.getByRole("button", { name: "Continue without WeChat" }).click();
    await expect(visitor.getByRole("heading", { name: "You have arrived" })).toBeVisible();
    await without.close();
    const context = await inWechat("zh-CN", "dark");
    const other = await context.newPage();
    await other.goto(address);
    await other.getByRole("button", { name: "授权微信昵称和头像" }).click();
    // The browser asks for the consent.
    await expect(other.getByRole("heading", { name: "Join the tea club" })).toBeVisible();
    await expectAccessible(other);
    await expectNoOverflow(other);
    await other.getByRole("checkbox").check();
    await other.getByRole("button", { name: "授权微信昵称和头像" }).click();
    await expect(other.getByRole("heading", { name: "申请获取你的昵称、头像" })).toBeVisible();
    await other.getByRole("link", { name: "允许" }).click();
    await expect(other.getByRole("heading", { name: "You have arrived" })).toBeVisible();
    expect(other.url()).not.toMatch(/code=|state=/);
    await other.goto(address);
    await expect(other.getByRole("heading", { name: "You have arrived" })).toBeVisible();
    await context.close();
  });

  await test.step("outside WeChat nothing is asked", async () => {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: "You have arrived" })).toBeVisible();
  });

  await test.step("the contact has the WeChat account, whose picture is not loaded", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await expect(async () => {
      await page.goto(`/app/${slug}/contacts`);
      await expect(page.getByRole("link", { name: "小明" })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await untilAlive(page);
    await page.getByLabel("Search by phone number").fill(wechat.users.person.openid);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("One contact found.")).toBeVisible();
    await page.getByRole("link", { name: "小明" }).click();
    await expect(page.getByText(wechat.users.person.openid)).toBeVisible();
    const opened = page.getByRole("link", { name: "Open on WeChat" });
    await expect(opened).toHaveAttribute("href", picture);
    await look(page);
    expect(asked.filter((one) => one.includes("qlogo.cn"))).toEqual([]);
  });
  server.close();
  await wechat.close();
});

/** In place of WeChat’s SDK: accepts a page if `judge` accepts its signature, and reports what it shares. */
const sdk = `
  const waiting = { ready: [], error: [] };
  window.wx = {
    ready: (run) => waiting.ready.push(run),
    error: (run) => waiting.error.push(run),
    updateAppMessageShareData: (card) => { document.body.dataset.shared = JSON.stringify(card); },
    config: async (options) => {
      const isValid = await window.judge(options, location.href.split("#")[0]);
      for (const run of waiting[isValid ? "ready" : "error"]) run({});
      if (isValid) document.querySelector("wx-open-launch-weapp").dispatchEvent(new Event("ready"));
    },
  };`;
const sdkUrl = "https://res.wx.qq.com/open/js/jweixin-1.6.0.js";

interface PageConfig {
  appId: string;
  nonceStr: string;
  timestamp: number;
  signature: string;
  openTagList: string[];
}

/** As WeChat does: the signature is for this ticket, and for this URL alone. */
function isSigned({ nonceStr, timestamp, signature }: PageConfig, ticket: string, url: string) {
  const text = `jsapi_ticket=${ticket}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${url}`;
  return createHash("sha1").update(text).digest("hex") === signature;
}

test("inside WeChat a page signs its own address for the SDK, and has another way when the SDK fails", async ({
  page,
  browser,
  workspace,
}) => {
  const tagAppId = "wx00000000000e2e03";
  const wechat = await startWechat(Number(new URL(process.env["FUXI_WECHAT_URL"] ?? "").port));
  wechat.addApp(tagAppId, appSecret);
  const { url, server } = await openDestination("You have arrived");
  const domain = `tag-${randomUUID()}.localhost`;
  await workspace.make("/domains", { slug: domain });
  const account = await workspace.make("/wechat-accounts", {
    kind: "officialAccount",
    name: "Tea news",
    appId: tagAppId,
    secret: appSecret,
  });
  const put = await page.request.put(`/api/wechat-domains/${domain}`, {
    headers: { Origin: siteOrigin, "X-Fuxi-Workspace": workspace.slug },
    data: { accountId: account.id },
  });
  expect(put.ok(), await put.text()).toBe(true);
  await workspace.make(`/wechat-accounts/${account.id}/check`, {});
  const { shortLink } = await workspace.make<{ shortLink: string }>("/links", {
    url,
    domain,
    key: "tea",
    title: "Autumn tea",
    proxy: true,
    insideApps: { open: "miniProgram", appId, path: "pages/index/index" },
  });

  /** A visit with what the address of the SDK answers; undefined: nothing. */
  const open = async (address: string, script: string | undefined, judge = isSigned) => {
    const context = await browser.newContext({ userAgent: inApp.wechatIos, viewport: phone });
    const visitor = await context.newPage();
    const configs: PageConfig[] = [];
    const refused: string[] = [];
    await visitor.exposeFunction("refuse", (what: string) => refused.push(what));
    await visitor.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ blockedURI }) =>
        Object(window).refuse(blockedURI),
      );
    });
    await visitor.exposeFunction("judge", (config: PageConfig, shown: string) => {
      configs.push(config);
      const { token = "", tickets = 0 } = wechat.apps.get(tagAppId) ?? {};
      return judge(config, `ticket-${token}-${tickets}`, shown);
    });
    await visitor.route(sdkUrl, (route) =>
      script === undefined
        ? route.abort()
        : route.fulfill({ contentType: "text/javascript", body: script }),
    );
    await visitor.goto(address);
    await expect(visitor.getByRole("heading", { name: "Open the mini program" })).toBeVisible();
    return { visitor, configs, refused, other: visitor.getByText("If no button appears") };
  };

  for (const address of [shortLink, `${shortLink}?from=singlemessage&isappinstalled=0`]) {
    await test.step(`the SDK accepts the signature of ${new URL(address).search || "the link"}`, async () => {
      const { visitor, configs, refused, other } = await open(address, sdk);
      await expect(other).toBeHidden();
      expect(configs).toMatchObject([{ appId: tagAppId, openTagList: ["wx-open-launch-weapp"] }]);
      const shared = await visitor.locator("body").getAttribute("data-shared");
      expect(JSON.parse(shared ?? "{}")).toMatchObject({ title: "Autumn tea", link: shortLink });
      expect(visitor.url()).toBe(address);
      expect(refused).toEqual([]);
      await expectAccessible(visitor);
      await visitor.context().close();
    });
  }

  await test.step("a signature that WeChat refuses, an SDK without an answer, and none: the page says what to do", async () => {
    const closed = `${sdk}; window.wx.config = () => document.dispatchEvent(new Event("WeixinOpenTagsError"));`;
    for (const [script, judge] of [
      [sdk, () => false],
      [closed, isSigned],
      ["", isSigned],
      [undefined, isSigned],
    ] as const) {
      const { visitor, other } = await open(shortLink, script, judge);
      await expect(other).toBeVisible();
      await visitor.getByRole("link", { name: "Continue on the web" }).click();
      await expect(visitor.getByRole("heading", { name: "You have arrived" })).toBeVisible();
      await visitor.context().close();
    }
  });
  server.close();
  await wechat.close();
});
