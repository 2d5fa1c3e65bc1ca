/** Pictures of the guides, in each language. */
import type { Locator, Page } from "@playwright/test";
import { type Locale, loadMessages, locales } from "#lib/platform/messages/schema";

/** Tall enough that the editor's button bar covers nothing. */
const narrow = { width: 900, height: 2_400 };

type Messages = Awaited<ReturnType<typeof loadMessages>>;
type Take = (name: string, part: Locator) => Promise<void>;

const links = {
  rules: {
    url: "https://example.com/app",
    rules: [{ os: ["iOS"], country: ["DE"], url: "https://example.com/de/iphone" }],
  },
  tests: {
    url: "https://example.com/offer-long",
    testVariants: [
      { url: "https://example.com/offer-long", percentage: 75 },
      { url: "https://example.com/offer-short", percentage: 25 },
    ],
  },
  passwords: { url: "https://example.com/prices", password: "autumn prices" },
  previews: {
    url: "https://example.com/autumn",
    title: "The autumn catalog",
    description: "120 pages of everything that is warm.",
    proxy: true,
  },
};
type EditorGuide = keyof typeof links;

const sheet = [
  "Website,Name,Print code,Labels",
  "https://example.com/autumn,Autumn catalog,autumn,print",
  "https://example.com/spring,Spring catalog,spring,print",
  "https://example.com/shops,All shops,,web",
].join("\n");

export async function takeGuidePictures(page: Page, take: Take): Promise<void> {
  await page.setViewportSize(narrow);
  const ids = new Map<EditorGuide, string>();
  for (const [name, body] of Object.entries(links)) {
    const headers = { Origin: new URL(page.url()).origin, "X-Fuxi-Workspace": "demo" };
    const made = await page.request.post("/api/links", { headers, data: body });
    if (!made.ok()) throw new Error(`The link for ${name}: ${await made.text()}`);
    ids.set(asGuide(name), Object(await made.json()).id);
  }
  for (const locale of locales) {
    await page
      .context()
      .addCookies([{ name: "locale", value: locale, url: new URL(page.url()).origin }]);
    const messages = await loadMessages(locale);
    for (const [guide, id] of ids) {
      await take(
        `guide-${guide}.${locale}`,
        await openEditorPart(page, id, labelOf(messages, guide), messages),
      );
    }
    await take(`guide-imports.${locale}`, await openImport(page, messages, locale));
  }
}

/** Sound because the names are those of `links`. */
function asGuide(name: string): EditorGuide {
  return name as EditorGuide;
}

function labelOf({ linkForm }: Messages, guide: EditorGuide): string {
  const parts = { rules: "rules", tests: "test", passwords: "password", previews: "card" } as const;
  return linkForm[parts[guide]].label;
}

async function openEditorPart(
  page: Page,
  id: string,
  label: string,
  messages: Messages,
): Promise<Locator> {
  await page.goto(`/app/demo/links/${id}`);
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: messages.common.edit, exact: true }).click();
  const part = page.getByRole("dialog").getByRole("region", { name: label, exact: true });
  await part.scrollIntoViewIfNeeded();
  return part;
}

async function openImport(page: Page, messages: Messages, locale: Locale): Promise<Locator> {
  await page.goto("/app/demo/imports");
  await page.waitForLoadState("networkidle");
  const buffer = Buffer.from(sheet);
  const file = { name: `autumn-${locale}.csv`, mimeType: "text/csv", buffer };
  await page.getByLabel(messages.imports.file, { exact: true }).setInputFiles(file);
  await page.waitForURL("**/imports/imp_*");
  const heading = page.getByRole("heading", { name: messages.imports.columns, exact: true });
  await heading.waitFor();
  await page.waitForLoadState("networkidle");
  return page.locator("section").filter({ has: heading }).last();
}
