import { expect, type Page } from "@playwright/test";
import { expectAccessible, signUp, test } from "./journey.ts";

/**
 * Every page once with all content, in English and light, and once empty on a phone, in Chinese and dark. The behavior
 * of pages is covered by the other tests; short links by visitor-pages.spec.ts.
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
  "/docs/api/errors",
  "/docs/api/tags",
  "/nothing/is/here",
];
const ofWorkspace = [
  "/links",
  "/links?state=archived",
  "/links?search=nothing",
  "/analytics",
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
  "/tags",
  "/folders",
  "/utm",
  "/settings/plan",
  "/settings/audit",
  "/settings/gateways",
  "/settings/wechat",
  "/settings/webhooks",
  "/settings/images",
  "/campaigns/opt-outs",
  "/campaigns/compare",
  "/settings/export",
  "/settings/security",
  "/nothing",
];

test.describe.configure({ mode: "parallel" });

/** Creates an object over the API as the signed-in person. */
async function make(page: Page, slug: string, path: string, data: object): Promise<string> {
  const answer = await page.request.post(`/api${path}`, {
    headers: { Origin: new URL(page.url()).origin, "X-Fuxi-Workspace": slug },
    data,
  });
  expect(answer.ok(), `${path} answers ${answer.status()}`).toBe(true);
  return String(Object(await answer.json()).id);
}

async function walk(page: Page, paths: readonly string[], language: string): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.lang), path).toBe(language);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `${path} is wider than its window`).toBeLessThanOrEqual(0);
  }
}

/** Of one workspace only: the tests share one instance. */
function domainOf(slug: string): string {
  return `go.${slug}.example`;
}

/** Of a campaign that can still be changed. */
async function makeCampaign(page: Page, slug: string): Promise<string> {
  return await make(page, slug, "/campaigns", {
    name: "Autumn",
    kind: "service",
    template: "Hi {name|there}, {link} now",
    destination: "https://example.com/",
    defaultCountry: "CN",
    columns: [{ name: "name" }],
  });
}

function pagesOf(slug: string, linkId: string): string[] {
  const paths = [
    ...ofWorkspace,
    `/domains/${domainOf(slug)}`,
    `/links/${linkId}`,
    `/links/${linkId}/qr`,
  ];
  return ["/app/new", ...paths.map((path) => `/app/${slug}${path}`)];
}

test("every public page, in English and light", async ({ page }) => {
  await walk(page, publicPages, "en");
});

test("every page of a workspace with links, in English and light", async ({ page }) => {
  const { slug } = await signUp(page);
  await make(page, slug, "/tags", { name: "Spring" });
  await make(page, slug, "/folders", { name: "Shop" });
  await make(page, slug, "/utm", { name: "Letter", utm_source: "letter" });
  await make(page, slug, "/domains", { slug: domainOf(slug) });
  const linkId = await make(page, slug, "/links", {
    url: "https://example.com/a",
    title: "The autumn fair",
    tagNames: ["Spring"],
  });
  const campaign = `/app/${slug}/campaigns/${await makeCampaign(page, slug)}`;
  await walk(page, [...pagesOf(slug, linkId), campaign, `${campaign}/message`], "en");
});

test("a router state that cannot be read is refused", async ({ request }) => {
  for (const state of ["%", "x", "[]", "%5B1%5D"]) {
    const headers = { RSC: "1", "Next-Router-State-Tree": state };
    const answer = await request.get("/signin", { headers });
    expect([state, answer.status()]).toEqual([state, 400]);
  }
});

test("the pages of tags, folders and UTM templates are found where they were", async ({ page }) => {
  const { slug } = await signUp(page);
  for (const name of ["tags", "folders", "utm"]) {
    await page.goto(`/app/${slug}/settings/${name}`);
    await expect(page).toHaveURL(new RegExp(`/app/${slug}/${name}$`));
    await expect(page.locator('nav a[aria-current="page"]').first()).toBeVisible();
  }
});

test.describe("on a phone, in Chinese and dark", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    colorScheme: "dark",
  });

  test("every public page", async ({ page }) => {
    await walk(page, publicPages, "zh-CN");
  });

  test("every page of a workspace without links", async ({ page, browser }) => {
    // Signs up in English, and continues in another browser.
    const desk = await browser.newContext({ locale: "en-US" });
    const first = await desk.newPage();
    const { slug } = await signUp(first);
    await page.context().addCookies(await desk.cookies());
    await desk.close();
    await page.goto(`/app/${slug}/links`);
    await expectAccessible(page);
    await make(page, slug, "/domains", { slug: domainOf(slug) });
    const linkId = await make(page, slug, "/links", { url: "https://example.com/a" });
    await walk(page, pagesOf(slug, linkId), "zh-CN");
  });
});
