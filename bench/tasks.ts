/**
 * Five everyday tasks in Chromium, with the pauses of a practiced person: before each click, and for each key. Measured
 * from the page on which the task starts until its result is visible. A task above its bound ends with 1.
 */
import { writeFileSync } from "node:fs";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";
import { owner, withDemo } from "../scripts/demo-instance.ts";
import { Advice } from "../scripts/processes.ts";
import { machine } from "./stage.ts";

const aimMs = 350;
const keyMs = 50;
const answerTimeoutMs = 30_000;

/** Uses the mouse and the keyboard, and counts clicks. */
class Person {
  clicks = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    await target.waitFor();
    await this.page.waitForTimeout(aimMs);
    await target.click();
    this.clicks += 1;
  }

  /** Into the field that has the focus. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: keyMs });
  }

  /** A click is needed only where the page does not put the focus into the field. */
  async typeInto(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    await this.page.waitForTimeout(aimMs);
    if (!(await field.evaluate((element) => element === document.activeElement))) {
      await this.click(field);
    }
    await this.type(text);
  }

  async paste(text: string): Promise<void> {
    await this.page.waitForTimeout(aimMs);
    await this.page.keyboard.insertText(text);
  }

  /** Moves to the next field. */
  async tab(): Promise<void> {
    await this.page.keyboard.press("Tab", { delay: keyMs });
  }
}

interface Task {
  name: string;
  start: string;
  maxMs: number;
  clicksMax?: number;
  /** With an account, or as a stranger. */
  signedIn: boolean;
  run: (person: Person, page: Page) => Promise<void>;
}

let added = 0;
const tasks: Task[] = [
  {
    name: "first link, from the landing page",
    start: "/",
    maxMs: 12_000,
    clicksMax: 6,
    signedIn: false,
    run: async (person, page) => {
      await person.click(page.getByLabel("Destination URL"));
      await person.paste("https://shop.example.com/autumn/sale?utm_source=newsletter");
      await person.click(page.getByRole("button", { name: "Shorten" }));
      await page.waitForURL("**/signup*");
      await person.typeInto(page.getByLabel("Name", { exact: true }), "Grace Hopper");
      await person.tab();
      await person.type("grace@example.com");
      await person.tab();
      await person.paste("seven blue compilers");
      await person.click(page.getByRole("button", { name: "Create account" }));
      await page.waitForURL("**/app/new*");
      await person.typeInto(page.getByLabel("Name", { exact: true }), "Compilers");
      await person.click(page.getByRole("button", { name: "Create workspace" }));
      await person.click(page.getByRole("button", { name: "Copy" }).first());
    },
  },
  {
    name: "branded QR code, downloaded",
    start: "/app/demo/links",
    maxMs: 8_000,
    signedIn: true,
    run: async (person, page) => {
      const row = page.getByRole("list", { name: "Links" }).getByRole("listitem").first();
      await person.click(row.getByRole("link", { name: /QR/ }));
      await page.waitForURL("**/qr");
      await person.click(page.getByRole("radio", { name: "Rounded" }).first().locator("xpath=.."));
      await person.click(page.getByLabel("Dot color", { exact: true }));
      await page.getByLabel("Dot color", { exact: true }).fill("#1e3a8a");
      const saved = page.waitForEvent("download");
      await person.click(page.getByRole("button", { name: "PNG", exact: true }));
      await saved;
    },
  },
  {
    name: "the top country",
    start: "/app/demo/links",
    maxMs: 3_000,
    signedIn: true,
    run: async (person, page) => {
      await person.click(page.getByRole("link", { name: "Analytics" }));
      const countries = page.getByRole("list", { name: "Countries with the most clicks" });
      await countries.getByRole("listitem").first().waitFor();
    },
  },
  {
    name: "API key and its first request, copied",
    start: "/app/demo/settings/api-keys",
    maxMs: 6_000,
    signedIn: true,
    run: async (person, page) => {
      await person.click(page.getByRole("button", { name: "Create key" }).first());
      await person.type("Newsletter server");
      await person.click(page.getByRole("dialog").getByRole("button", { name: "Create key" }));
      const dialog = page.getByRole("dialog");
      await dialog.locator("pre").waitFor();
      await person.click(dialog.getByRole("button", { name: "Copy" }).last());
    },
  },
  {
    name: "domain, until it waits for DNS",
    start: "/app/demo/domains",
    maxMs: 6_000,
    signedIn: true,
    run: async (person, page) => {
      await person.click(page.getByRole("button", { name: "Add domain" }).first());
      added += 1;
      await person.paste(`https://go-${added}.grace.example/`);
      await person.click(page.getByRole("dialog").getByRole("button", { name: "Add domain" }));
      await page.getByText("Pending DNS").waitFor();
      await page.getByRole("listitem").filter({ hasText: "TXT" }).waitFor();
    },
  },
];

const executablePath = await findChromium(console.log);
await withDemo(".fuxi-tasks", async (url) => {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    report(await runAll(browser, url));
  } finally {
    await browser.close();
  }
});

async function runAll(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url, locale: "en-US" });
  const page = await context.newPage();
  await page.goto("/signin?next=/app/demo/links");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => address.pathname === "/app/demo/links");
  const storageState = await context.storageState();
  await context.close();
  const measured: Record<string, { ms: number; clicks: number }> = {};
  for (const task of tasks) {
    // The first time, routes and statements are still being compiled.
    if (task.signedIn) await perform(browser, task, { baseURL: url, storageState });
    measured[task.name] = await perform(
      browser,
      task,
      task.signedIn ? { baseURL: url, storageState } : { baseURL: url },
    );
    console.log(task.name, JSON.stringify(measured[task.name]));
  }
  return measured;
}

async function perform(
  browser: Browser,
  task: Task,
  options: Parameters<Browser["newContext"]>[0],
): Promise<{ ms: number; clicks: number }> {
  const context = await browser.newContext({ ...options, locale: "en-US" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(answerTimeoutMs);
  await page.goto(task.start);
  await page.waitForLoadState("networkidle");
  const person = new Person(page);
  const from = performance.now();
  await task.run(person, page);
  const ms = Math.round(performance.now() - from);
  await context.close();
  return { ms, clicks: person.clicks };
}

function report(measured: Readonly<Record<string, { ms: number; clicks: number }>>): void {
  if (process.argv.includes("--keep")) {
    const result = { machine: machine(), aimMs, keyMs, tasks: measured };
    writeFileSync("bench/tasks.json", `${JSON.stringify(result, null, 2)}\n`);
  }
  const slow = tasks.filter(({ name, maxMs, clicksMax = Number.POSITIVE_INFINITY }) => {
    const one = measured[name];
    return !one || one.ms > maxMs || one.clicks > clicksMax;
  });
  if (slow.length > 0)
    throw new Advice(slow.map(({ name }) => `Above its bound: ${name}`).join("\n"));
}
