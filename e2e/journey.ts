/** Shared by the end-to-end tests: a signed-in person, a workspace, destination sites, and checks of every page. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { type Browser, test as base, expect, type Page } from "@playwright/test";
import type axeCore from "axe-core";
import { findBoxFaults } from "../test/boxes.ts";
import {
  closeWorkspaces,
  type GivenAccount,
  giveAccount,
  giveWorkspace,
} from "../test/workspaces.ts";

/** In pages, after `axeSource` was evaluated. */
declare const axe: typeof axeCore;

/** Where the tested instance is. */
export const siteOrigin = new URL(process.env["TEST_BASE_URL"] ?? "http://localhost:3000").origin;

/** For a step that is tried again: what is not there yet is not waited for as long as usual. */
export const soon = { timeout: 2_000 };

/** As if a page had reported the zone before: not each test needs that call. */
const zone = { name: "zone", value: "UTC", url: siteOrigin };

/** A workspace of one test only, of a person shared by the tests of a worker. */
export interface Workspace {
  slug: string;
  /** Creates an object over the API, as the signed-in person, and returns it. */
  make: <Created = { id: string }>(path: string, body: object) => Promise<Created>;
}

/**
 * A test. It also fails when the page reports an error, or violates its policy. With `workspace` it has an empty
 * workspace of a shared person, with `openWorkspace` also its list of links open, and with `account` a person of its own.
 */
export const test = base.extend<
  { silence: undefined; account: GivenAccount; workspace: Workspace; openWorkspace: Workspace },
  { connections: undefined; person: GivenAccount }
>({
  connections: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the parameter to find a fixture's dependencies
    async ({}, use) => {
      await use(undefined);
      await closeWorkspaces();
    },
    { scope: "worker", auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  person: [async ({}, use) => use(await giveAccount()), { scope: "worker" }],
  account: async ({ page }, use) => {
    const account = await giveAccount();
    await page.context().addCookies([account.cookie, zone]);
    await use(account);
  },
  workspace: async ({ page, person }, use) => {
    await page.context().addCookies([person.cookie, zone]);
    await use(workspaceOf(page, await giveWorkspace(person.userId)));
  },
  openWorkspace: async ({ page, workspace }, use) => {
    await page.goto(`/app/${workspace.slug}/links`);
    await untilAlive(page);
    await use(workspace);
  },
  silence: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        // Responses other than 2xx are reported as well; the test itself decides about them.
        if (message.type() !== "error" || message.text().startsWith("Failed to load")) return;
        errors.push(message.text());
      });
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (refused) => {
          throw new Error(
            `The policy refused ${refused.effectiveDirective}: ${refused.blockedURI}`,
          );
        });
      });
      await use(undefined);
      expect(errors, "errors that the page reported").toEqual([]);
    },
    { auto: true },
  ],
});

/** Chromium's user agent without automation; the automated one is counted as a bot. */
export const desktopAgent =
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** The labels of the sign-in forms, in the language of the test. */
interface FormLabels {
  name: string;
  email: string;
  password: string;
  signUp: string;
  workspaceName: string;
  slug: string;
  createWorkspace: string;
}

const english: FormLabels = {
  name: "Name",
  email: "Email",
  password: "Password",
  signUp: "Create account",
  workspaceName: "Name",
  slug: "Workspace URL",
  createWorkspace: "Create workspace",
};

export const chinese: FormLabels = {
  name: "姓名",
  email: "邮箱",
  password: "密码",
  signUp: "创建账户",
  workspaceName: "名称",
  slug: "工作区网址",
  createWorkspace: "创建工作区",
};

export interface Account {
  email: string;
  password: string;
  slug: string;
}

/** From the sign-up form to the empty list of links. */
export async function signUp(page: Page, words: FormLabels = english): Promise<Account> {
  const unique = randomUUID().slice(0, 8);
  const account = {
    email: `ada-${unique}@example.com`,
    password: `correct horse ${unique}`,
    slug: `acme-${unique}`,
  };
  const octet = () => Math.floor(Math.random() * 256);
  await page.setExtraHTTPHeaders({ "X-Forwarded-For": `10.${octet()}.${octet()}.${octet()}` });
  await page.goto("/signup");
  await untilAlive(page);
  await page.getByLabel(words.name, { exact: true }).fill("Ada Byron");
  await page.getByLabel(words.email, { exact: true }).fill(account.email);
  await page.getByLabel(words.password, { exact: true }).fill(account.password);
  await page.getByRole("button", { name: words.signUp }).click();
  await page.waitForURL("**/app/new");
  await page.setExtraHTTPHeaders({});
  await untilAlive(page);
  await page.getByLabel(words.workspaceName, { exact: true }).fill("Acme");
  await page.getByLabel(words.slug, { exact: true }).fill(account.slug);
  await page.getByRole("button", { name: words.createWorkspace }).click();
  await page.waitForURL(`**/app/${account.slug}/links`);
  await untilAlive(page);
  return account;
}

/** Fills the form of the sign-in page. */
export async function signIn(page: Page, { email, password }: Pick<Account, "email" | "password">) {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** An existing workspace of the signed-in person. */
function workspaceOf(page: Page, slug: string): Workspace {
  return {
    slug,
    make: async (path, body) => {
      const answer = await page.request.post(`/api${path}`, {
        headers: { Origin: siteOrigin, "X-Fuxi-Workspace": slug },
        data: body,
      });
      expect(answer.ok(), `${path} answers ${answer.status()}: ${await answer.text()}`).toBe(true);
      return await answer.json();
    },
  };
}

/** Resolves once React has hydrated the page: before that, keys and clicks are ignored. */
export async function untilAlive(page: Page): Promise<void> {
  // Pages that people read load their scripts at the first touch.
  await page.evaluate(() => dispatchEvent(new Event("touchstart")));
  await page.waitForFunction(() => {
    if (!document.querySelector('script[src*="/_next/"]')) return true;
    const main = document.querySelector("main");
    return main !== null && Object.keys(main).some((key) => key.startsWith("__reactFiber"));
  });
}

/** Requests wait until the returned function is called. */
export async function holdRequests(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/**
 * No rule of axe is violated by the displayed page, or by a part of it: a page of a thousand lines takes ten seconds.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  await untilAlive(page);
  // On a busy machine, a list or menu that was just left is still there, without its name.
  await expect(page.locator("[data-state=closed]:is([role=listbox], [role=menu])")).toHaveCount(0);
  // The title may arrive after the page, and for a moment there is none while it is replaced.
  await expect(async () => {
    await expect(page).toHaveTitle(/./);
    expect(await findViolations(page, part), `axe at ${page.url()}`).toEqual([]);
  }).toPass({ timeout: 60_000 });
  await expectTidyBoxes(page);
}

/** Nothing overlaps, is cut or leaves its card, once everything that moves has arrived. */
async function expectTidyBoxes(page: Page): Promise<void> {
  await expect(async () => {
    expect(await findBoxFaults(page), `boxes of ${page.url()}`).toEqual([]);
  }).toPass({ timeout: 60_000 });
}

/** The rules of axe, half a megabyte: a document compiles them once, however often it is checked. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

async function findViolations(page: Page, part: string | undefined): Promise<string[]> {
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  if (!isLoaded) await page.evaluate(axeSource);
  // No page has a frame. Only violations are returned: the places where rules hold are thousands.
  return await page.evaluate(async (within) => {
    const root = within === null ? document : { include: [[within]] };
    // Stylesheets are not fetched again: the one rule that needs it is about turned screens.
    const options = { resultTypes: ["violations" as const], preload: false };
    const { violations } = await axe.run(root, options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  }, part ?? null);
}

/** A visitor follows a short link in a separate browser and arrives at the destination. */
export async function visit(browser: Browser, shortLink: string, heading: string): Promise<void> {
  const context = await browser.newContext({ userAgent: desktopAgent });
  const page = await context.newPage();
  await page.goto(shortLink);
  await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  await context.close();
}

/** A click by a visitor in a browser, without one. */
export async function click(page: Page, shortLink: string): Promise<void> {
  const headers = { "User-Agent": desktopAgent };
  const answer = await page.request.get(shortLink, { headers, maxRedirects: 0 });
  expect(answer.status(), shortLink).toBe(302);
}

/** Resolves once the clicks of a workspace are counted. */
export async function untilCounted(page: Page, slug: string, clicks: number): Promise<void> {
  const headers = { "X-Fuxi-Workspace": slug };
  await expect
    .poll(async () => (await (await page.request.get("/api/analytics", { headers })).json()).clicks)
    .toBe(clicks);
}

/** Nothing is wider than a phone, whose size the window keeps. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectTidyBoxes(page);
}

/** Nothing is wider than the window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over, `${page.url()} is wider than its window`).toBeLessThanOrEqual(0);
}

/** A site of files, of which `/` is a page, with a record of its requests. */
export async function openSite(files: Readonly<Record<string, Buffer>>) {
  const externalUrls: string[] = [];
  const server = createServer((req, res) => {
    externalUrls.push(req.url ?? "");
    const file = files[req.url ?? ""];
    if (req.url === "/") res.setHeader("Content-Type", "text/html");
    res.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server.address())}`, externalUrls, server };
}

/** A destination site, so that a test needs no network. */
export async function openDestination(heading: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_req, res) => {
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.end(`<!doctype html><title>${heading}</title><h1>${heading}</h1>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server.address())}/autumn?edition=2`, server };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The site has no port");
  return address.port;
}
