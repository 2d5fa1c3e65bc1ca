import fc from "fast-check";
import { expect, test } from "vitest";
import { pageLogoBytesMax } from "#lib/links/branding/schema";
import { giveSettings } from "../../../test/settings.ts";
import { compileBranding } from "./branding.ts";
import { escapeHtml, languageOf, pageHead, renderPage, visibleText } from "./document.ts";
import { visitorPage } from "./pages.ts";
import { pageBytesMax } from "./schema.ts";
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

const home = "https://fuxi.example/";
const names = Object.keys(pageTexts) as (keyof typeof pageTexts)[];

test("every page is small with the largest logo, in both languages, without a script and without external resources", () => {
  const branding = compileBranding("#0f766e", Buffer.alloc(pageLogoBytesMax, 7));
  for (const name of names) {
    for (const language of ["en", "zh"] as const) {
      const branded = visitorPage(name, language, { branding, onDashboardHost: true, home });
      expect(branded.length).toBeLessThanOrEqual(pageBytesMax);
      const page = String(visitorPage(name, language, { home }));
      expect(page).toContain(`<h1>${pageTexts[name][language].title}</h1>`);
      expect(page).toContain("prefers-color-scheme:dark");
      const parts = page.replace(
        /<a (?:class="button" )?href="(?:https:\/\/fuxi.example\/(?:report)?)?"/g,
        "<a",
      );
      expect(parts).not.toMatch(/<script|src=|href=|url\(|@import/);
    }
  }
});

test("visitors get something to do: the home page, another try, or the form for reports of links", () => {
  const pageOf = (name: keyof typeof pageTexts) => String(visitorPage(name, "en", { home }));
  const having = (part: string) => names.filter((name) => pageOf(name).includes(part));
  expect(having("Go to homepage")).toEqual(["missing", "ended", "early"]);
  expect(having('href="">Try again')).toEqual(["unavailable", "tooMany"]);
  expect(having("Report this link")).toEqual(["ended", "early", "password", "wrongPassword"]);
  expect(String(visitorPage("missing", "en"))).not.toContain("<a ");
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
