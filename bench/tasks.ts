/**
 * Everyday tasks in Chromium, with the pauses of a practiced person: before each click, and for each key. Measured
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
  /** Before the time starts. */
  prepare?: (page: Page) => Promise<void>;
  run: (person: Person, page: Page) => Promise<void>;
}

const movedLinks = 1_000;
let uploads = 0;

/** As Bitly exports it. The slugs differ between uploads, because those of the first one are taken afterwards. */
function bitlyFile(): { name: string; mimeType: string; buffer: Buffer } {
  uploads += 1;
  const rows = Array.from(
    { length: movedLinks },
    (_, at) =>
      `bit.ly/moved${uploads}-${at},https://shop.example.com/products/${at}?of=${uploads},Product ${at},2024-05-01`,
  );
  const text = ["Bitlink,Long URL,Title,Created", ...rows].join("\n");
  return { name: "bitly.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
}

/** A service message, its recipient, and a test that arrives in the outbox of the demo. */
async function testCampaign(person: Person, page: Page): Promise<void> {
  await person.typeInto(page.getByLabel("Name", { exact: true }), "Parcels");
  await person.click(page.getByText("Service", { exact: true }));
  await person.click(page.getByLabel("Text", { exact: true }));
  await person.type("Your parcel is on its way: {link}");
  await person.click(page.getByLabel("Destination URL"));
  await person.paste("https://shop.example.com/parcels?r={recipientId}");
  await person.click(page.getByRole("button", { name: "Save and continue" }));
  await person.click(page.getByRole("tab", { name: "Paste rows" }));
  await person.click(page.getByLabel("Rows", { exact: true }));
  await person.paste("phone\n2025550101\n");
  await person.click(page.getByRole("button", { name: "Check rows" }));
  await person.click(page.getByRole("button", { name: "Add 1 recipient" }));
  await page.getByText("1 recipient added").waitFor();
  await person.click(page.getByRole("link", { name: "Continue to check" }));
  await person.typeInto(page.getByLabel("Your phone", { exact: true }), "+12025550101");
  await page.keyboard.press("Enter");
  const outbox = page.getByRole("list", { name: "Demo outbox" });
  await outbox
    .getByText(/^Your parcel is on its way: http/)
    .first()
    .waitFor();
}

let shelves = 0;

/** A folder, and a page of links, of which the demo has fewer. */
async function addShelf(page: Page): Promise<void> {
  shelves += 1;
  const headers = { Origin: new URL(page.url()).origin, "X-Fuxi-Workspace": "demo" };
  const bodies = Array.from({ length: 50 }, (_, at) => ({
    url: `https://shop.example.com/shelf-${shelves}/${at}`,
  }));
  const made = [
    await page.request.post("/api/folders", { headers, data: { name: `Shelf ${shelves}` } }),
    await page.request.post("/api/links/bulk", { headers, data: bodies }),
  ];
  for (const answer of made)
    if (!answer.ok()) throw new Error(`Refused with ${answer.status()}: ${await answer.text()}`);
  await page.reload();
  await page.waitForLoadState("networkidle");
}

let sold = 0;

/** A link as programs make it, until the search has its text. */
async function addApiLink(page: Page): Promise<void> {
  sold += 1;
  const headers = { Origin: new URL(page.url()).origin, "X-Fuxi-Workspace": "demo" };
  const made = await page.request.post("/api/api-keys", {
    headers,
    data: { name: `Shop ${sold}` },
  });
  const { key } = await made.json();
  const data = { url: `https://shop.example.com/orders/parcel-of-${sold}-boots` };
  const withKey = { Authorization: `Bearer ${key}` };
  await page.request.post("/api/links", { headers: withKey, data });
  const found = `/api/links?search=parcel-of-${sold}-`;
  while ((await (await page.request.get(found, { headers })).json()).length === 0)
    await page.waitForTimeout(1_000);
}

const passwords = [owner.password, "another picture of the owner"];
let changed = 0;

async function changeNameAndPassword(person: Person, page: Page): Promise<void> {
  const now = passwords[changed % 2] ?? "";
  changed += 1;
  const next = passwords[changed % 2] ?? "";
  await person.click(page.getByRole("button", { name: /^Account: / }));
  await person.click(page.getByRole("menuitem", { name: "Account settings" }));
  await person.click(page.getByRole("textbox", { name: "Name", exact: true }));
  await page.keyboard.press("ControlOrMeta+A");
  await person.type(`Ada Lovelace ${changed}`);
  await page.keyboard.press("Enter");
  await page.getByText("Name saved").waitFor();
  await person.click(page.getByRole("link", { name: "Security" }));
  await person.click(page.getByLabel("Current password", { exact: true }));
  await person.type(now);
  await person.tab();
  await person.type(next);
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").waitFor();
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
    name: "50 links into a folder",
    start: "/app/demo/links",
    maxMs: 5_000,
    clicksMax: 4,
    signedIn: true,
    prepare: addShelf,
    run: async (person, page) => {
      await person.click(page.getByRole("checkbox", { name: "Select all links on this page" }));
      await person.click(page.getByRole("button", { name: "Move", exact: true }));
      await person.click(page.getByRole("option", { name: `Shelf ${shelves}`, exact: true }));
      await page.getByText("50 links moved").waitFor();
    },
  },
  {
    name: "a link of the API, found by a part of its destination",
    start: "/app/demo/links",
    maxMs: 4_000,
    clicksMax: 3,
    signedIn: true,
    prepare: addApiLink,
    run: async (person, page) => {
      await page.keyboard.press("/");
      await person.type(`cel-of-${sold}-bo`);
      const list = page.getByRole("list", { name: "Links" }).getByRole("listitem");
      await list.filter({ hasText: `parcel-of-${sold}-boots` }).waitFor();
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
  {
    name: "a test campaign, in the outbox of the demo",
    start: "/app/demo/campaigns/new",
    maxMs: 20_000,
    clicksMax: 10,
    signedIn: true,
    run: testCampaign,
  },
  {
    name: "1,000 links of a Bitly file, until they work",
    start: "/app/demo/links",
    maxMs: 15_000,
    clicksMax: 8,
    signedIn: true,
    run: async (person, page) => {
      await person.click(page.getByRole("link", { name: "Imports" }));
      const chosen = page.waitForEvent("filechooser");
      await person.click(page.getByRole("button", { name: "Choose a file" }));
      await (await chosen).setFiles(bitlyFile());
      await page.waitForURL("**/imports/imp_*");
      await person.click(page.getByRole("button", { name: "Create 1,000 links" }));
      await page.getByRole("heading", { name: "Done" }).waitFor();
      await page.getByText("1,000", { exact: true }).waitFor();
      const headers = { Origin: new URL(page.url()).origin, "X-Fuxi-Workspace": "demo" };
      const search = `/api/links?search=moved${uploads}-999`;
      const [link] = await (await page.request.get(search, { headers })).json();
      // The domain of the demo has no DNS record.
      const { host, pathname } = new URL(link.shortLink);
      const moved = await page.request.get(pathname, { headers: { Host: host }, maxRedirects: 0 });
      const location = moved.headers()["location"];
      if (location !== `https://shop.example.com/products/999?of=${uploads}`) {
        throw new Error(`The moved link answers ${moved.status()} ${location}`);
      }
    },
  },
  {
    name: "name and password changed",
    start: "/app/demo/links",
    maxMs: 15_000,
    clicksMax: 6,
    signedIn: true,
    run: changeNameAndPassword,
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
  await task.prepare?.(page);
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
