import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findLookAlike, unicodeHost } from "./look-alikes.ts";

const own = ["go.example.com", "localhost"];

test.each([
  ["https://paypa1.com/", "like", "paypal"],
  ["https://pay-pal.com/", "like", "paypal"],
  ["https://www.g00gle.com/login", "like", "google"],
  // Cyrillic letters in each of these.
  ["https://\u0440\u0430\u0443\u0440\u0430l.com/", "like", "paypal"],
  ["https://\u0430\u0440\u0440\u04cf\u0435.com/", "like", "apple"],
  ["https://g\u043e.example.com/", "like", "go.example.com"],
  ["https://go.examp1e.com/", "like", "go.example.com"],
  ["https://sh\u043ep.example/", "mixed", ""],
  ["https://\u043c\u0430\u0433\u0430\u0437\u0438\u043d.example/", "punycode", ""],
  ["https://m\u00fcller.example/", "punycode", ""],
])("%s is reported as %s %s", (url, code, like) => {
  expect(findLookAlike(url, own)).toMatchObject({ code, like });
});

test.each([
  "https://www.paypal.com/",
  "https://accounts.google.com/",
  "https://go.example.com/x",
  "https://www.go.example.com/",
  "https://example.com/",
  "https://192.0.2.1/",
  "tel:123",
  "not a url",
  "",
])("%s is not reported", (url) => {
  expect(findLookAlike(url, own)).toBeUndefined();
});

test("a host of Han and Latin letters is not mixed", () => {
  expect(findLookAlike("https://abc\u5546\u5e97.example/", own)?.code).toBe("punycode");
});

test("hosts are decoded like Node decodes them", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."abz09\u00fc\u0436\u4e2d\u6587\u3042\u05d0\u0e01"),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(letters, (text) => {
      fc.pre(URL.canParse(`http://${text}.example`));
      const ascii = new URL(`http://${text}.example`).hostname;
      expect(unicodeHost(ascii)).toBe(domainToUnicode(ascii));
    }),
  );
});

test("malformed Punycode stays as it is", () => {
  for (const host of ["xn--.example", "xn--99999999999.example", "xn--\u00fc.example", "xn--a-"]) {
    expect(() => unicodeHost(host)).not.toThrow();
  }
  expect(unicodeHost("xn--zzzzzzzzzzzzzz.example")).toBe("xn--zzzzzzzzzzzzzz.example");
});
