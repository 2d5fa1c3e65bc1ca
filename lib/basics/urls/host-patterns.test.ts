import fc from "fast-check";
import { expect, test } from "vitest";
import { hostPatternCharsMax, pagesOf, parseHostPattern, plainPath } from "./index.ts";

function patternOf(text: string): string {
  const parsed = parseHostPattern(text);
  return parsed.ok ? parsed.pattern : parsed.code;
}

test.each([
  ["example.com", "example.com"],
  ["  EXAMPLE.com ", "example.com"],
  ["example.com.", "example.com"],
  ["example.com/", "example.com"],
  ["*.example.com", "*.example.com"],
  ["*.zip", "*.zip"],
  ["intranet", "intranet"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["*.例え.jp", "*.xn--r8jz45g.jp"],
  ["example.com/shop", "example.com/shop"],
  ["example.com/Shop/", "example.com/Shop"],
  ["example.com/a/../%73hop", "example.com/shop"],
  ["example.com/café", "example.com/caf%C3%A9"],
  ["127.1", "127.0.0.1"],
  ["[2001:DB8::1]", "[2001:db8::1]"],
])("%j is the entry %s", (text, pattern) => {
  expect(patternOf(text)).toBe(pattern);
});

test.each([
  ["", "entry_empty"],
  ["   ", "entry_empty"],
  ["https://example.com", "entry_scheme"],
  ["HTTP://example.com", "entry_scheme"],
  ["example.com:443", "entry_port"],
  ["[::1]:80", "entry_port"],
  ["example.com?a", "entry_query"],
  ["example.com/#a", "entry_query"],
  ["*", "entry_wildcard"],
  ["*example.com", "entry_wildcard"],
  ["a.*.example.com", "entry_wildcard"],
  ["*.*.example.com", "entry_wildcard"],
  ["exa mple.com", "entry_host"],
  ["ada@example.com", "entry_host"],
  ["/shop", "entry_host"],
  ["*.127.0.0.1", "entry_host"],
  ["-a.example", "entry_host"],
  ["example..com", "entry_host"],
  [`${"a".repeat(64)}.example`, "entry_host"],
  ["a\nb", "entry_host"],
])("%j is refused as %s", (text, code) => {
  expect(patternOf(text)).toBe(code);
});

test("an entry has at most 1,000 characters", () => {
  const path = "a".repeat(hostPatternCharsMax - "example.com/".length);
  expect(patternOf(`example.com/${path}`)).toBe(`example.com/${path}`);
  expect(patternOf(`example.com/${path}a`)).toBe("entry_long");
});

test("a stored entry is read as the same entry, and never has a line break", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.domain(), fc.webUrl()), (text) => {
      const parsed = parseHostPattern(text.replace(/^https?:\/\//, ""));
      if (!parsed.ok) return;
      expect(parsed.pattern).not.toMatch(/[\r\n]/);
      expect(parseHostPattern(parsed.pattern)).toEqual(parsed);
    }),
  );
});

test.each([
  ["/shop", "/shop"],
  ["//shop/", "/shop"],
  ["/%73hop", "/shop"],
  ["/x/..%2Fshop", "/shop"],
  ["/x/..%5cshop", "/shop"],
  ["/shop/%2e%2e/admin", "/admin"],
  ["/a%0ab%3f", "/a%0Ab%3F"],
  ["/%zz/%73", "/%zz/s"],
])("the path %s is %s", (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

test("an intent opens its page and its fallback; other apps open none", () => {
  expect(pagesOf("https://example.com/a")).toEqual(["https://example.com/a"]);
  expect(pagesOf("whatsapp://send?text=https://example.com")).toEqual([]);
  expect(
    pagesOf(
      "intent://evil.example/x#Intent;scheme=https;S.browser_fallback_url=https%3A%2F%2Fother.example%2F;end",
    ),
  ).toEqual(["https://evil.example/x", "https://other.example/"]);
  expect(pagesOf("intent://open/#Intent;scheme=tg;end")).toEqual([]);
});
