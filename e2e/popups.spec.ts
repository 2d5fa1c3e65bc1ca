/**
 * Every page of a workspace with content on a phone, and every menu, list, dialog and sheet on them, opened once and
 * checked with axe. Opening them does not move the page, and the buttons of their forms are visible.
 */
import { expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible, expectNoOverflow, holdRequests, test, untilAlive } from "./journey.ts";

/** Buttons that open a dialog without saying so; they are not in a form. */
const openers =
  /^(Add|Create|Delete|Edit|Invite|New|Rename|Rotate|Revoke|Save (as|view)|Share|Shortcuts|Transfer|Archive)\b/;
/** Menu items that open a dialog or a sheet. */
const openingItems = /^(Edit|Rename|Transfer|Move|Keyboard shortcuts)/;
const dialogs = '[role="dialog"]:visible, [role="alertdialog"]:visible';
const popup =
  '[role="dialog"]:visible, [role="alertdialog"]:visible, [role="menu"]:visible, [role="listbox"]:visible';
const pages = [
  "/links",
  "/links/LINK",
  "/links/LINK/qr",
  "/analytics",
  "/imports",
  "/domains",
  "/domains/DOMAIN",
  "/settings/tags",
  "/settings/folders",
  "/settings/utm",
  "/settings",
  "/settings/members",
  "/settings/api-keys",
  "/settings/plan",
  "/settings/destinations",
  "/settings/gateways",
  "/settings/wechat",
  "/settings/webhooks",
  "/settings/images",
  "/campaigns/opt-outs",
  "/settings/audit",
  "/settings/export",
];
/** Their forms are opened by the tests of campaigns, forms and conversions. */
const readPages = ["", "/CAMPAIGN/message", "/CAMPAIGN/recipients", "/CAMPAIGN/check"];

/** Which must be among the opened ones: a walk that opens nothing finds nothing. */
const expected = [
  "dialog Create a link",
  "dialog Edit link",
  "alertdialog Delete",
  "dialog Add a domain",
  "dialog Invite",
  "menu",
  "listbox",
];

class Walk {
  readonly opened = new Set<string>();
  readonly #page: Page;
  /** Already opened, by their names: most pages share the navigation. */
  readonly #done = new Set<string>();

  constructor(page: Page) {
    this.#page = page;
  }

  async visit(path: string): Promise<void> {
    await this.#page.goto(path);
    await untilAlive(this.#page);
    await this.#untilComplete();
    await this.look();
    for (const trigger of await this.#triggers()) {
      await test.step(`${path}: ${trigger.name}`, () => this.#open(trigger.button));
    }
  }

  async look(): Promise<void> {
    await expectAccessible(this.#page);
    await expectNoOverflow(this.#page);
  }

  /** Everything has been streamed and hydrated: React may replace elements until then. */
  async #untilComplete(): Promise<void> {
    await this.#page.waitForFunction(() => {
      const isHydrated = (one: Element) =>
        Object.keys(one).some((key) => key.startsWith("__reactProps"));
      const buttons = [...document.querySelectorAll("button")];
      return document.querySelector('template[id^="B:"]') === null && buttons.every(isHydrated);
    });
  }

  /** All buttons that open something. They are marked, because names change with what is chosen. */
  async #triggers(): Promise<{ name: string; button: Locator }[]> {
    const names = await this.#page.evaluate((source) => {
      const says = new RegExp(source);
      const buttons = document.querySelectorAll<HTMLButtonElement>("button, [role=combobox]");
      return [...buttons].flatMap((button, at) => {
        const label = button.getAttribute("aria-label") ?? button.labels?.[0]?.textContent;
        const name = (label ?? button.textContent).trim();
        const opens =
          button.ariaHasPopup !== null ||
          button.role === "combobox" ||
          (button.type !== "submit" && says.test(name));
        if (!opens || name === "" || button.disabled || !button.checkVisibility()) return [];
        button.setAttribute("data-opens", String(at));
        return [{ at, name }];
      });
    }, openers.source);
    const fresh = names.filter(({ name }) => !this.#done.has(name));
    for (const { name } of fresh) this.#done.add(name);
    return fresh.map(({ at, name }) => ({
      name,
      button: this.#page.locator(`[data-opens="${at}"]`),
    }));
  }

  async #open(button: Locator): Promise<void> {
    // A card of analytics replaces its buttons when its data arrives.
    if ((await button.count()) === 0) return;
    // Scrolls to the button.
    await button.click({ trial: true });
    const place = await this.#place();
    await button.click();
    const shown = this.#page.locator(popup).last();
    await expect(shown).toBeVisible();
    expect(await this.#place()).toEqual(place);
    await this.#check(shown);
    const items = await itemsOf(shown);
    await this.#close();
    for (const item of items) {
      await button.click();
      await this.#page.getByRole("menuitem").nth(item).click();
      const dialog = this.#page.locator(dialogs).last();
      await expect(dialog).toBeVisible();
      expect(await this.#place()).toEqual(place);
      await this.#check(dialog);
      await this.#close();
    }
  }

  /** Where the page is scrolled to, and where its content is. */
  async #place() {
    return await this.#page.evaluate(() => {
      const { x, width } = document.querySelector("main")?.getBoundingClientRect() ?? {};
      return { scrolled: window.scrollY, x, width };
    });
  }

  async #check(shown: Locator): Promise<void> {
    const role = (await shown.getAttribute("role")) ?? "";
    const title = role.endsWith("dialog") ? await titleOf(shown) : "";
    this.opened.add(`${role} ${title}`.trim());
    for (const button of await shown.locator("form > [data-actions] button").all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    await shown.evaluate((element) => element.setAttribute("data-opened", ""));
    await expectAccessible(this.#page, "[data-opened]");
    await shown.evaluate((element) => element.removeAttribute("data-opened"));
    await expectNoOverflow(this.#page);
  }

  async #close(): Promise<void> {
    const shown = this.#page.locator(popup);
    await expect(async () => {
      await this.#page.keyboard.press("Escape");
      await expect(shown).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  }
}

/** The places of the items of a menu that open a dialog. */
async function itemsOf(menu: Locator): Promise<number[]> {
  if ((await menu.getAttribute("role")) !== "menu") return [];
  const names = await menu.getByRole("menuitem").allTextContents();
  return names.flatMap((name, at) => (openingItems.test(name) ? [at] : []));
}

/** The name of a dialog. */
async function titleOf(dialog: Locator): Promise<string> {
  const id = await dialog.getAttribute("aria-labelledby");
  const title = id === null ? null : await dialog.page().locator(`[id="${id}"]`).textContent();
  return (title ?? (await dialog.getAttribute("aria-label")) ?? "").trim();
}

test("every page of a workspace with content, and every menu, list and dialog on it, is accessible on a phone", async ({
  page,
  workspace: { slug, make },
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const domain = `popups.${slug}.example`;
  const paint = { create: { width: 8, height: 8, channels: 3, background: "teal" } } as const;
  const image = (await sharp(paint).png().toBuffer()).toString("base64");
  await make("/tags", { name: "Spring" });
  await make("/folders", { name: "Shop" });
  await make("/utm", { name: "Letter", utm_source: "letter" });
  await make("/domains", { slug: domain });
  await make("/social-images", { image });
  const link = { url: "https://example.com/", title: "The autumn fair", tagNames: ["Spring"] };
  const { id } = await make("/links", link);
  const campaign = await make("/campaigns", {
    name: "Autumn",
    kind: "service",
    template: "Hi {name|there}, {link} now",
    destination: "https://example.com/",
    defaultCountry: "CN",
    columns: [{ name: "name" }],
  });
  const base = `/app/${slug}`;
  // The result of a domain’s check would move the page while a dialog opens.
  await holdRequests(page, "**/domains/*/verify");
  const walk = new Walk(page);
  for (const path of pages) {
    await walk.visit(`${base}${path.replace("LINK", id).replace("DOMAIN", domain)}`);
  }
  for (const path of ["/app/account", "/app/account/security"]) await walk.visit(path);
  for (const path of readPages) {
    await page.goto(`${base}/campaigns${path.replace("CAMPAIGN", campaign.id)}`);
    await walk.look();
  }
  const opened = [...walk.opened];
  for (const one of expected) {
    expect(
      opened.some((name) => name.startsWith(one)),
      `${one}: ${opened.join(", ")}`,
    ).toBe(true);
  }
  expect(opened.length).toBeGreaterThan(15);
});
