/**
 * For tests that change a whole instance or take its database away: one of their own, because the others would read the
 * announcement, miss the feature and fail. Its API keys need approval, its mail server does not exist, so that addresses
 * stay unconfirmed, it has an ICP number, and without an account, visitors create links and look around in the demo. A failing
 * page reports to the browser’s console, which these tests ignore.
 */
import { test as base, expect, type Page } from "@playwright/test";
import pg from "pg";
import { startTestInstance, type TestInstance } from "../test/instance.ts";
import { TcpProxy } from "../test/tcp-proxy.ts";
import { type Account, expectAccessible, expectNoOverflow, signUp } from "./journey.ts";

export const icpNumber = "京ICP备12345678号-1";
/** Where visitors create links without an account. */
export const publicHost = "public.localhost";
export const instanceLog = ".fuxi-test/own.log";

/** Its administrator, who is the first account and confirmed, with an open page. */
interface Office {
  account: Account;
  page: Page;
}

interface OwnInstance {
  databaseProxy: TcpProxy;
  instance: TestInstance;
  admin: Office;
}

export const test = base.extend<{ office: Page }, OwnInstance>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the parameter to find a fixture's dependencies
  databaseProxy: [async ({}, use) => use(new TcpProxy()), { scope: "worker" }],
  instance: [
    async ({ databaseProxy }, use) => {
      const instance = await startTestInstance({
        name: "own",
        redisDatabase: 11,
        env: {
          FUXI_TRUSTED_PROXIES: "127.0.0.1,::1",
          FUXI_DEMO: "public",
          FUXI_KEY_APPROVAL: "on",
          FUXI_ICP: icpNumber,
          FUXI_PUBLIC_SHORTENER: publicHost,
          FUXI_SMTP_URL: "smtp://127.0.0.1:9",
        },
        lead: (databaseUrl) => databaseProxy.open(databaseUrl),
      });
      await use(instance);
      await instance.stop();
      await databaseProxy.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  admin: [
    async ({ browser, instance }, use) => {
      const context = await browser.newContext({ baseURL: instance.url, locale: "en-US" });
      const page = await context.newPage();
      const account = await signUp(page);
      // Their second factor, without its dialog.
      await onDatabase(instance, "UPDATE app_user SET factor_since = now() WHERE operator");
      await onDatabase(instance, "UPDATE session SET factor_at = now()");
      await use({ account, page });
      await context.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  office: ({ admin }, use) => use(admin.page),
  baseURL: ({ instance }, use) => use(instance.url),
  // The administrator is also a person with links.
  page: async ({ page, admin }, use) => {
    await page.context().addCookies(await admin.page.context().cookies());
    await use(page);
  },
});

export async function onDatabase({ databaseUrl }: TestInstance, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A page of the back office in both languages: no rule of axe is violated, and it fits a phone. */
export async function openOffice(
  office: Page,
  path: string,
  heading: { en: string; zh: string },
): Promise<void> {
  await office
    .context()
    .addCookies([{ name: "locale", value: "zh", url: new URL(office.url()).origin }]);
  await office.setViewportSize({ width: 390, height: 844 });
  await office.goto(`/admin/${path}`);
  await expect(office.getByRole("heading", { level: 1 })).toHaveText(heading.zh);
  await expectNoOverflow(office);
  await office.context().clearCookies({ name: "locale" });
  await office.setViewportSize({ width: 1280, height: 720 });
  await office.reload();
  await expect(office.getByRole("heading", { level: 1 })).toHaveText(heading.en);
  await expectAccessible(office);
}

/** Confirms a dialog with a reason. */
export async function confirm(office: Page, button: string, reason: string): Promise<void> {
  const dialog = office.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}
