import { expect, test } from "vitest";
import { renderEmail } from "./emails.ts";

const firstLinks = [
  { shortLink: "https://go.example/a", host: "shop.example" },
  { shortLink: 'https://go.example/b\n<b>"', host: "" },
];

test("an email about links that retire lists them, one per line, and counts the others", () => {
  const values = { address: "https://go.example/app", workspace: "Acme", firstLinks };
  const english = renderEmail("en", "retiring", { ...values, links: 1_202 });
  expect(english.text).toContain("1,202 links in the workspace Acme");
  expect(english.text).toContain(
    "\n\nhttps://go.example/a → shop.example\nhttps://go.example/b b\nand 1,200 more\n\n",
  );
  expect(english.html).toContain("<li>https://go.example/a → shop.example</li>");
  expect(english.html).not.toContain("<b>");
  const chinese = renderEmail("zh", "retiring", { ...values, links: 3 });
  expect(chinese.text).toContain("\n以及另外 1 条\n\n");
});

test("without further links nothing is counted, and without links there is no list", () => {
  const values = { address: "https://go.example/app", workspace: "Acme" };
  expect(renderEmail("en", "retiring", { ...values, links: 2, firstLinks }).text).not.toContain(
    "more",
  );
  expect(renderEmail("en", "retiring", { ...values, links: 2 }).html).not.toContain("<ul>");
});
