/** The browser extension as an instance serves it, unpacked and loaded into a whole Chromium. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BrowserContext, chromium, expect, type Page } from "@playwright/test";
import { chromiumFlags, findWholeChromium } from "../scripts/chromium.ts";
import { readArchive } from "../test/archive.ts";
import { readQrCode } from "../test/zbar.ts";
import { expectAccessible, openDestination, test } from "./journey.ts";

const base = process.env["TEST_BASE_URL"] ?? "";
/** On a machine without Chromium, it is downloaded first. */
const downloadMs = 900_000;

let executablePath: string;
test.beforeAll(async () => {
  test.setTimeout(downloadMs);
  executablePath = await findWholeChromium((line) => void process.stdout.write(`${line}\n`));
});

interface Extension {
  context: BrowserContext;
  /** The URL of its popup. */
  popup: string;
  folder: string;
}

interface Manifest {
  host_permissions: string[];
  default_locale: string;
}

/** A browser with the extension, after `change` of its manifest and folder. */
async function withExtension(
  change: (manifest: Manifest, path: string) => void,
  work: (extension: Extension) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-extension-"));
  const path = join(folder, "fuxi-extension");
  await unpackExtension(folder);
  const file = join(path, "manifest.json");
  const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"));
  expect(manifest.host_permissions).toEqual([`${base}/*`]);
  change(manifest, path);
  writeFileSync(file, JSON.stringify(manifest));
  const loading = [`--disable-extensions-except=${path}`, `--load-extension=${path}`];
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    // Playwright’s own headless mode turns extensions off.
    headless: false,
    args: [...chromiumFlags(), "--headless=new", ...loading],
    ignoreDefaultArgs: ["--disable-extensions"],
    viewport: { width: 360, height: 640 },
    reducedMotion: "reduce",
  });
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(error.error().message));
  context.on("console", (message) => {
    if (message.type() !== "error" || message.text().startsWith("Failed to load")) return;
    errors.push(message.text());
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    await work({ context, popup: worker.url().replace("background.js", "popup.html"), folder });
    expect(errors, "errors that the extension reported").toEqual([]);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpackExtension(folder: string): Promise<void> {
  const answer = await fetch(`${base}/extension.zip`);
  expect(answer.headers.get("content-type")).toBe("application/zip");
  for (const { name, bytes } of await readArchive(Buffer.from(await answer.arrayBuffer()))) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

async function connect(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Connect" }).click();
}

/** The popup beside the page in front, as after a click on the icon of the toolbar. */
async function openPopup(context: BrowserContext, popup: string): Promise<Page> {
  const [worker] = context.serviceWorkers();
  const opening = context.waitForEvent("page");
  await worker?.evaluate(`chrome.tabs.create({ url: "${popup}", active: false })`);
  return await opening;
}

test("a page is shortened from the toolbar: link copied, QR code saved, listed afterwards; the context menu opens the form with what was chosen", async ({
  workspace: { make, slug },
}) => {
  test.slow();
  const { key } = await make<{ key: string }>("/api-keys", {
    name: "Extension",
    scopes: ["links.write", "domains.read"],
  });
  const site = await openDestination("Tea and cake");
  // The click on the icon gives access to the page; a program cannot click there.
  const readable = (manifest: Manifest) =>
    void manifest.host_permissions.push(`${new URL(site.url).origin}/*`);
  await withExtension(readable, async ({ context, popup, folder }) => {
    const page = await context.newPage();
    await page.goto(popup);
    await expect(page.getByLabel("URL of your Fuxi instance")).toHaveValue(base);
    await connect(page, "");
    await expect(page.getByRole("alert")).toHaveText("Enter an API key.");
    await connect(page, "fuxi_wrong");
    await expect(page.getByRole("alert")).toContainText("This API key is unknown");
    await expectAccessible(page);
    await page.reload();
    await connect(page, key);
    // The active tab is this page of the extension itself.
    await expect(page.getByRole("alert")).toContainText("can’t be shortened");
    await page.close();

    const tab = await context.newPage();
    await tab.goto(site.url);
    const form = await openPopup(context, popup);
    await expect(form.getByLabel("Destination")).toHaveValue(site.url);
    await expect(form.getByText("Tea and cake")).toBeVisible();
    // Only a page in front may copy.
    await form.bringToFront();
    await expect(form.getByText(`Workspace ${slug}`)).toBeVisible();
    await form.getByLabel("Slug").fill(`${slug}-tea`);
    await form.getByRole("button", { name: "Shorten", exact: true }).click();
    const shortLink = `${base}/${slug}-tea`;
    await expect(form.getByLabel("Short link")).toHaveValue(shortLink);
    await expect(form.getByRole("status")).toHaveText("Copied");
    await expectAccessible(form);
    const saving = form.waitForEvent("download");
    await form.getByRole("button", { name: "Download PNG" }).click();
    const file = join(folder, "code.png");
    await (await saving).saveAs(file);
    expect(await readQrCode(file)).toBe(`${shortLink}?qr=1`);
    const visited = await fetch(shortLink, { redirect: "manual" });
    expect(visited.headers.get("location")).toBe(site.url);

    // The form reads the page in front again.
    await tab.bringToFront();
    await form.getByRole("button", { name: "Create another link" }).click();
    await expect(form.getByLabel("Destination")).toHaveValue(site.url);
    await expect(form.getByRole("button", { name: `Copy ${shortLink}` })).toBeVisible();
    await form.getByLabel("Slug").fill(`${slug}-tea`);
    await form.getByRole("button", { name: "Shorten", exact: true }).click();
    await expect(form.getByRole("alert")).toContainText("already taken");
    await expectAccessible(form);
    await form.close();

    const choose = async (chosen: object) => {
      const opening = context.waitForEvent("page");
      const call = `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(chosen)}, { title: "Tea" })`;
      await context.serviceWorkers()[0]?.evaluate(call);
      return await opening;
    };
    const pageUrl = "https://example.com/tea?a=1&b=%26#cups";
    const ofPage = await choose({ menuItemId: "page", pageUrl });
    await expect(ofPage.getByLabel("Destination")).toHaveValue(pageUrl);
    await expect(ofPage.getByText("Tea", { exact: true })).toBeVisible();
    const linkUrl = "https://example.com/cake";
    const ofLink = await choose({ menuItemId: "link", pageUrl, linkUrl });
    await expect(ofLink.getByLabel("Destination")).toHaveValue(linkUrl);
    await expect(ofLink.getByText("Tea", { exact: true })).toBeHidden();
    await ofLink.getByRole("button", { name: "Disconnect" }).click();
    await expect(ofLink.getByRole("button", { name: "Connect" })).toBeVisible();
    expect(await ofLink.evaluate("chrome.storage.local.get()")).toEqual({});
  });
  site.server.close();
});

test("in Chinese, and after the browser closed the popup to ask for access", async ({
  workspace: { make, slug },
}) => {
  const scopes = ["links.write"];
  const { key } = await make<{ key: string }>("/api-keys", { name: "Extension", scopes });
  // Debian’s Chromium has no other language than English, which it would prefer.
  const chinese = (manifest: Manifest, path: string) => {
    manifest.default_locale = "zh_CN";
    rmSync(join(path, "_locales", "en"), { recursive: true });
  };
  await withExtension(chinese, async ({ context, popup }) => {
    const page = await context.newPage();
    await page.goto(popup);
    await expect(page.getByRole("heading", { name: "连接到 Fuxi" })).toBeVisible();
    const draft = JSON.stringify({ draft: { server: base, apiKey: key } });
    await page.evaluate(`chrome.storage.session.set(${draft})`);
    await page.reload();
    await expect(page.getByText(`工作区 ${slug}`)).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate("chrome.storage.session.get()")).toEqual({});
  });
});
