import { NextIntlClientProvider } from "next-intl";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Locale, loadMessages } from "#lib/platform/messages/schema";
import { ChangeLines } from "./link-history.tsx";

async function render(locale: Locale, change: { field: string; from: unknown; to: unknown }) {
  const child = createElement(ChangeLines, change, "as JSON");
  const props = { locale, messages: await loadMessages(locale), timeZone: "UTC", children: child };
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, props));
  return html.replace(/ class="[^"]*"/g, "");
}

const rules = [{ os: ["ios"], country: ["DE"], url: "https://example.com/ios" }];

test("a change of rules is told in words, in both languages", async () => {
  const change = { field: "rules", from: null, to: rules };
  expect(await render("en", change)).toBe(
    "<del><span>none</span></del><ins><span>If OS is iOS and Country is Germany: example.com/ios</span></ins>",
  );
  const chinese = await render("zh", change);
  expect(chinese).toContain("德国");
  expect(chinese).toContain("iOS");
  expect(chinese).not.toContain("{");
});

test("a change of variants tells their shares, and one of destinations by country the countries", async () => {
  const variants = [
    { url: "https://example.com/a", percentage: 75 },
    { url: "https://example.com/b", percentage: 25 },
  ];
  const shares = await render("en", { field: "testVariants", from: variants, to: null });
  expect(shares).toContain("75%");
  expect(shares).toContain("example.com/b");
  expect(shares).not.toContain("{");
  const geo = { DE: "https://example.com/de" };
  expect(await render("en", { field: "geo", from: null, to: geo })).toContain("Germany");
});

test("any other change is left to the caller", async () => {
  expect(await render("en", { field: "title", from: "a", to: "b" })).toBe("as JSON");
});
