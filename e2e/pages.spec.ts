import { expect, type Page } from "@playwright/test";
import { givePlan } from "../test/plans.ts";
import {
  expectAccessible,
  expectFitsPhone,
  expectNoOverflow,
  siteOrigin,
  test,
} from "./journey.ts";

/**
 * Every public page in English and light, and on a phone in Chinese and dark; every page of an empty workspace in Chinese
 * and dark. Those with content and what opens on them: popups.spec.ts; short links: visitor-pages.spec.ts.
 */
const publicPages = [
  "/",
  "/pricing",
  "/legal/terms",
  "/legal/privacy",
  "/legal/imprint",
  "/signin",
  "/signup",
  "/reset",
  "/verify?token=none",
  "/invite?token=none",
  "/share/none",
  "/docs",
  "/docs/marketers",
  "/docs/rules",
  "/docs/tests",
  "/docs/passwords",
  "/docs/forms",
  "/docs/previews",
  "/docs/imports",
  "/docs?q=password",
  "/docs/sms",
  "/docs/plans",
  "/docs/operators",
  "/docs/links",
  "/docs/api",
  "/docs/api/differences",
  "/docs/api/errors",
  "/docs/api/tags",
  "/nothing/is/here",
];
const ofWorkspace = [
  "/links",
  "/links?state=archived",
  "/links?search=nothing",
  "/analytics?country=DE",
  "/analytics/reports",
  "/customers",
  "/contacts",
  "/forms",
  "/campaigns",
  "/campaigns?search=nothing",
  "/campaigns/new",
  "/imports",
  "/domains",
  "/domains?search=nothing",
  "/settings",
  "/settings/members",
  "/settings/api-keys",
  "/settings/tags",
  "/settings/folders",
  "/settings/utm",
  "/settings/retention",
  "/settings/plan",
  "/settings/audit",
  "/settings/gateways",
  "/settings/wechat",
  "/settings/webhooks",
  "/settings/images",
  "/campaigns/opt-outs",
  "/campaigns/compare",
  "/settings/export",
  "/nothing",
];

test.describe.configure({ mode: "parallel" });

async function openPage(page: Page, path: string, language: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.lang), path).toBe(language);
  await expectNoOverflow(page);
}

test("every public page, in English and light", async ({ page }) => {
  for (const path of publicPages) await openPage(page, path, "en");
  expect((await page.request.get("/legal/nothing")).status()).toBe(404);
});

test("what belongs to others or to nobody is one and the same page", async ({
  page,
  playwright,
  account: { slug },
  person,
}) => {
  const stranger = await playwright.request.newContext({ baseURL: siteOrigin });
  const headers = { Cookie: `${person.cookie.name}=${person.cookie.value}` };
  for (const workspace of [slug, "no-such-workspace"]) {
    const answer = await stranger.get(`/app/${workspace}/links`, { headers });
    expect(answer.status(), workspace).toBe(404);
    expect(await answer.text()).toContain("Page not found");
  }
  await stranger.dispose();
  const missing = await page.request.get(`/app/${slug}/links/link_00000000000000000000000000`);
  expect(await missing.text()).toContain("Page not found");

  for (const [before, now] of [
    ["tags", `/app/${slug}/settings/tags`],
    ["folders", `/app/${slug}/settings/folders`],
    ["utm", `/app/${slug}/settings/utm`],
    ["settings/browser", `/app/${slug}/settings/extension`],
    ["settings/security", "/app/account/security"],
  ]) {
    const moved = await page.request.get(`/app/${slug}/${before}`, { maxRedirects: 0 });
    // No browser remembers it: see next.config.ts.
    expect(moved.status()).toBe(307);
    expect(moved.headers()["location"]?.replace(/\?.*/, "")).toBe(now);
  }
  for (const state of ["%", "x", "[]", "%5B1%5D"]) {
    const router = { RSC: "1", "Next-Router-State-Tree": state };
    const answer = await page.request.get("/signin", { headers: router });
    expect([state, answer.status()]).toEqual([state, 400]);
  }
});

test.describe("in Chinese and dark", () => {
  test.use({ locale: "zh-CN", timezoneId: "Asia/Shanghai", colorScheme: "dark" });

  test("every page of a workspace without links, and what its plan does not include", async ({
    page,
    account: { slug },
  }) => {
    const base = `/app/${slug}`;
    const ofAccount = ["/app/new", "/app/account", "/app/account/security"];
    const paths = [...ofAccount, ...ofWorkspace.map((path) => `${base}${path}`)];
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 720 });
      await openPage(page, path, "zh-CN");
      await expectFitsPhone(page);
    }
    await givePlan(slug, "free");
    for (const path of ["/settings/plan", "/imports", "/campaigns"]) {
      await openPage(page, `${base}${path}`, "zh-CN");
    }
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

    test("every public page", async ({ page }) => {
      for (const path of publicPages) await openPage(page, path, "zh-CN");
    });
  });
});
