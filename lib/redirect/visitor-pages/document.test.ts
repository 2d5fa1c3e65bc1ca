import fc from "fast-check";
import { expect, test } from "vitest";
import { giveSettings } from "../../../test/settings.ts";
import { escapeHtml, languageOf, pageHead, renderPage, visibleText } from "./document.ts";
import { visitorPage } from "./pages.ts";
import { pageTexts } from "./texts.ts";

giveSettings({ FUXI_URL: "https://fuxi.example" });

test.each([
  [undefined, "en"],
  ["", "en"],
  ["de-DE,de;q=0.9", "en"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
  ["zh-Hant-TW", "zh"],
  ["zh-TW", "zh"],
  ["ZH", "zh"],
  ["en,zh;q=0.9", "en"],
  ["en;q=0.5, zh;q=0.9", "zh"],
  ["de, zh;q=0.2", "zh"],
  ["fr;q=1, en;q=0.3, zh;q=0.30", "en"],
  ["zh;q=0, en;q=0.1", "en"],
  ["zh;q=0", "en"],
  ["zh;q=2", "en"],
  ["zha", "en"],
  ["zh;q=0.9;en", "en"],
  [`${"x,".repeat(20)}zh`, "en"],
])("a request for %j gets %s", (header, language) => {
  expect(languageOf(header)).toBe(language);
});

test("every page is small, in both languages, without a script and without external resources", () => {
  for (const name of Object.keys(pageTexts) as (keyof typeof pageTexts)[]) {
    for (const language of ["en", "zh"] as const) {
      const page = String(visitorPage(name, language));
      expect(Buffer.byteLength(page)).toBeLessThan(10_000);
      expect(page).toContain(`<h1>${pageTexts[name][language].title}</h1>`);
      expect(page).toContain("prefers-color-scheme:dark");
      const parts = page.replace('<a href="https://fuxi.example/report"', "<a");
      expect(parts).not.toMatch(/<script|src=|href=|url\(|@import/);
    }
  }
});

test("the policy of a page names its own style and nothing else", async () => {
  const page = renderPage({ language: "en", title: "a", bodyHtml: "" });
  const head = pageHead(page);
  const policy = head[head.indexOf("Content-Security-Policy") + 1] ?? "";
  const style = /<style>(.*)<\/style>/s.exec(String(page))?.[1] ?? "";
  const hash = await crypto.subtle.digest("SHA-256", Buffer.from(style));
  expect(policy).toContain(`style-src 'sha256-${Buffer.from(hash).toString("base64")}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|script-src/);
});

test("no text ends an element or a quoted value, or changes the direction of neighbouring text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }),
  );
});
