/** Visits from the in-app browsers of apps. */
import { beforeAll, expect, test } from "vitest";
import { createDomain } from "#lib/links/domains";
import { editLink } from "#lib/links/editing";
import { outcomes } from "#lib/redirect/visitor-pages";
import { openFormVisitors } from "../../../test/form-visitors.ts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores({ FUXI_DESTINATIONS_WARN: "warned.example" });
const visits = openTestVisits("inside-apps");
const { ask, make, scope } = visits;
const { asking, post } = openFormVisitors(visits);

const url = "https://example.com/secret-place?a=1";
const ios =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const android =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/134.0.0.0 Mobile Safari/537.36";
const agents = {
  safari: `${ios} Version/18.7 Safari/604.1`,
  chrome: android.replace("; wv", ""),
  wechatIos: `${ios} MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN`,
  wechatAndroid: `${android} XWEB/1340157 MicroMessenger/8.0.57.2820(0x28003939) Weixin NetType/WIFI`,
  qq: `${android} V1_AND_SQ_9.1.75_10026_HDBM_T QQ/9.1.75.25965 NetType/WIFI`,
  instagram: `${android} Instagram 440.1.0.46.86 Android (36/16; 375dpi)`,
  line: `${ios} Safari Line/15.8.0`,
  wechatWindows:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36 MicroMessenger/7.0.20.1781 WindowsWechat(0x63090c33)",
} as const;
const as = (agent: keyof typeof agents, more: Record<string, string> = {}) => ({
  headers: { "user-agent": agents[agent], ...more },
});
const browserPage = { insideApps: { open: "browser", canContinue: true } } as const;
const title = "Open this link in your browser";

const own = "apps.localhost";
beforeAll(async () => {
  await createDomain(scope(), { slug: own });
});

/** Where “Continue here anyway” leads. */
function onwardOf(body: string): string {
  const path = /rel="nofollow" href="([^"]+)">Continue here anyway</.exec(body)?.[1];
  return (path ?? "").replaceAll("&amp;", "&");
}

test.each(["wechatIos", "wechatAndroid", "qq", "instagram", "line"] as const)(
  "%s gets the page, which names no destination, and browsers are redirected",
  async (agent) => {
    const { key } = await make({ url, ...browserPage });
    const { status, headers, body, all } = await ask(`/${key}`, as(agent));
    expect([status, headers.location]).toEqual([200, undefined]);
    expect(body).toContain(title);
    expect(body).toContain(`value="http://localhost/${key}"`);
    expect(all).not.toContain("secret-place");
    for (const other of ["safari", "chrome", "wechatWindows"] as const) {
      expect((await ask(`/${key}`, as(other))).headers.location).toBe(url);
    }
  },
);

test("bots and previews get what they get without the setting", async () => {
  const { key } = await make({ url, ...browserPage });
  for (const bot of [
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "TelegramBot (like TwitterBot)",
    `${agents.wechatIos} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  ]) {
    const { headers } = await ask(`/${key}`, { headers: { "user-agent": bot } });
    expect(headers.location).toBe(url);
  }
});

test("no cache may keep an answer, which depends on the app, in either order", async () => {
  const { key } = await make({ url, ...browserPage, redirectStatus: 301 });
  for (const agent of ["safari", "wechatIos", "chrome", "qq"] as const) {
    const { headers, status } = await ask(`/${key}`, as(agent));
    expect(headers["cache-control"]).toContain("no-store");
    const isInside = agent === "wechatIos" || agent === "qq";
    expect(status).toBe(isInside ? 200 : 301);
    if (isInside) expect(headers.vary).toBe("Accept-Language, User-Agent");
  }
});

test("the page is no click and takes none of a limit; continuing is one", async () => {
  const { key } = await make({ url, ...browserPage, maxClicks: 1 });
  const before = { ...outcomes };
  const { body } = await ask(`/${key}`, as("wechatIos"));
  await ask(`/${key}`, as("wechatIos"));
  expect(outcomes).toMatchObject({ sentOn: before.sentOn, insideApp: before.insideApp + 2 });
  expect((await ask(onwardOf(body), as("wechatIos"))).headers.location).toBe(url);
  expect(outcomes.sentOn).toBe(before.sentOn + 1);
  expect((await ask(`/${key}`, as("safari"))).status).toBe(410);
});

test("the token is not forwarded, and the visitor’s own parameters are", async () => {
  const { key } = await make({ url, ...browserPage, forwardQuery: true });
  const { body } = await ask(`/${key}?b=2`, as("wechatIos"));
  expect(body).toContain(`value="http://localhost/${key}?b=2"`);
  expect((await ask(onwardOf(body), as("wechatIos"))).headers.location).toBe(`${url}&b=2`);
  const fromLine = await ask(`/${key}?b=2&openExternalBrowser=1`, as("safari"));
  expect(fromLine.headers.location).toBe(`${url}&b=2`);
});

test("a visitor who continued and then answers a form does not see the page again", async () => {
  const { form, link } = await asking({ fields: [{ type: "email" }] });
  await editLink(scope(), link.id, { ...browserPage, forwardQuery: true });
  const onward = onwardOf((await ask(`/${link.key}?b=2`, as("wechatIos"))).body);
  const shown = await ask(onward, as("wechatIos"));
  expect(shown.body).toContain(form.title);
  const given = await post(onward.slice(1), { f0: "ada@example.com" }, as("wechatIos").headers);
  expect(given.status).toBe(303);
  const { headers } = await ask(String(given.headers.location), as("wechatIos"));
  expect(headers.location).toBe("https://shop.example/start?b=2");
});

test("the parameter that continues names no destination: only its signature counts", async () => {
  const { key } = await make({ url, ...browserPage });
  const other = await make({ url, ...browserPage });
  const token = onwardOf((await ask(`/${other.key}`, as("wechatIos"))).body).split("=")[1];
  for (const value of [
    "https://evil.example/",
    "//evil.example",
    "javascript:alert(1)",
    "zzzzzz.AAAA",
    token ?? "",
  ]) {
    const { status, headers, body } = await ask(`/${key}?fuxi_continue=${value}`, as("wechatIos"));
    expect([status, headers.location]).toEqual([200, undefined]);
    expect(body).toContain(title);
    expect(body).not.toContain("evil.example");
  }
});

test("an owner who does not allow continuing offers no way, and a token opens none", async () => {
  const link = await make({ url, ...browserPage });
  const onward = onwardOf((await ask(`/${link.key}`, as("wechatIos"))).body);
  await editLink(scope(), link.id, { insideApps: { open: "browser", canContinue: false } });
  const { body } = await ask(onward, as("wechatIos"));
  expect(body).toContain(title);
  expect(body).not.toContain("fuxi_continue");
});

test("a password is asked for after the page, so that it is entered once, and in the browser", async () => {
  const { key } = await make({ url, ...browserPage, password: "open sesame" });
  const { status, body } = await ask(`/${key}`, as("wechatIos"));
  expect([status, body.includes('type="password"')]).toEqual([200, false]);
  const onward = await ask(onwardOf(body), as("wechatIos"));
  expect([onward.status, onward.body.includes('type="password"')]).toEqual([401, true]);
});

test("the token of this page does not pass a warning, and that of a warning passes both", async () => {
  const { key } = await make({ url: "https://warned.example/page", ...browserPage });
  const first = await ask(`/${key}`, as("wechatIos"));
  expect(first.body).toContain(title);
  const warned = await ask(onwardOf(first.body), as("wechatIos"));
  expect(warned.body).toContain("This website may be harmful");
  const path = /rel="nofollow" href="([^"]+)">Continue anyway</.exec(warned.body)?.[1] ?? "";
  const last = await ask(path.replaceAll("&amp;", "&"), as("wechatIos"));
  expect(last.headers.location).toBe("https://warned.example/page");
});

test("text in the address cannot leave its attributes", async () => {
  const { key } = await make({ url, ...browserPage });
  const { body } = await ask(`/${key}?x="><script>alert(1)</script>'`, as("instagram"));
  expect(body).not.toContain("<script>alert");
  expect(body.match(/<script>/g)).toHaveLength(1);
});

test("the only script of the page is the one that its policy names", async () => {
  const { key } = await make({ url, ...browserPage });
  const { headers } = await ask(`/${key}`, as("wechatIos"));
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(/script-src 'sha256-[A-Za-z0-9+/=]+'/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
});

test("a plain link to a download leaves apps that block it, and only those", async () => {
  const apk = "https://cdn.example/app.apk?v=1";
  const { key } = await make({ url: apk });
  for (const agent of ["wechatAndroid", "qq", "instagram"] as const) {
    const { body } = await ask(`/${key}`, as(agent));
    expect(body).toContain(title);
    expect((await ask(onwardOf(body), as(agent))).headers.location).toBe(apk);
  }
  for (const agent of ["wechatIos", "chrome", "safari"] as const) {
    expect((await ask(`/${key}`, as(agent))).headers.location).toBe(apk);
  }
  const play = await make({ url: "https://play.google.com/store/apps/details?id=a" });
  expect((await ask(`/${play.key}`, as("wechatAndroid"))).body).toContain(title);
  expect((await ask(`/${play.key}`, as("instagram"))).status).toBe(302);
  const appStore = await make({ url: "https://apps.apple.com/app/id1" });
  expect((await ask(`/${appStore.key}`, as("wechatIos"))).status).toBe(302);
});

test("a URL of another app shows the page in WeChat and QQ, and continues on the web", async () => {
  const { key } = await make({ url, ios: "taobao://item.taobao.com/1" });
  const { body } = await ask(`/${key}`, as("wechatIos", { "accept-language": "zh-CN" }));
  expect(body).toContain("请在浏览器中打开");
  expect(body).not.toMatch(/taobao:|http-equiv/);
  const english = await ask(`/${key}`, as("wechatIos"));
  expect((await ask(onwardOf(english.body), as("wechatIos"))).headers.location).toBe(url);
  const call = await make({ url, ios: "tel:+4930123" });
  expect((await ask(`/${call.key}`, as("wechatIos"))).body).toContain("Call this number");
});

const program = {
  open: "miniProgram",
  path: "pages/index/index",
  appId: "wx0123456789abcdef",
  query: "from=mail&x='1'",
};
const scheme =
  "weixin://dl/business/?appid=wx0123456789abcdef&amp;path=pages/index/index&amp;query=from%3Dmail%26x%3D&#39;1&#39;";

test("a mini program opens from the browsers of phones, and in WeChat the page comes first", async () => {
  const { key } = await make({ url, insideApps: program });
  for (const agent of ["safari", "chrome", "instagram"] as const) {
    const { body } = await ask(`/${key}`, as(agent));
    expect(body).toContain(`<meta http-equiv="refresh" content="0;url=${scheme}">`);
    expect(body).toContain('href="https://example.com/secret-place?a=1"');
  }
  for (const agent of ["wechatIos", "wechatAndroid", "qq"] as const) {
    const { body } = await ask(`/${key}`, as(agent));
    expect(body).toContain(title);
    expect(body).not.toContain("weixin:");
    expect((await ask(onwardOf(body), as(agent))).headers.location).toBe(url);
  }
  expect((await ask(`/${key}`, as("wechatWindows"))).headers.location).toBe(url);
  expect((await ask(`/${key}`)).headers.location).toBe(url);
});

test("a rule comes before the mini program, and may name the app of a visit", async () => {
  const rules = [{ app: ["wechat"], url: "https://example.com/wechat" }];
  const { key } = await make({ url, insideApps: program, rules });
  const location = async (agent: keyof typeof agents) =>
    (await ask(`/${key}`, as(agent))).headers.location;
  expect(await location("wechatIos")).toBe("https://example.com/wechat");
  expect(await location("wechatWindows")).toBe("https://example.com/wechat");
  expect((await ask(`/${key}`, as("safari"))).body).toContain("weixin:");
});

test("the page of an own domain copies an address there", async () => {
  const { key } = await make({ url, domain: own, ...browserPage });
  const { body } = await ask(`/${key}`, as("wechatIos", { host: own }));
  expect(body).toContain(`value="http://${own}/${key}"`);
});

test("the same setting again changes nothing, and null removes it", async () => {
  const insideApps = { ...program, open: "miniProgram", canContinue: true } as const;
  const { key, id } = await make({ url, insideApps });
  const linkAfter = async (value: typeof insideApps | null) => {
    const outcome = await editLink(scope(), id, { insideApps: value });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.link;
  };
  const first = await linkAfter(insideApps);
  expect(first.insideApps).toEqual(insideApps);
  expect((await linkAfter(insideApps)).updatedAt).toBe(first.updatedAt);
  expect(await linkAfter(null)).not.toHaveProperty("insideApps");
  expect((await ask(`/${key}`, as("wechatIos"))).headers.location).toBe(url);
});
