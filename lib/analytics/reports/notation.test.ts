import fc from "fast-check";
import { expect, test } from "vitest";
import { parseFilter, writeFilter } from "./notation.ts";

test("every written filter is read back, in every field", () => {
  const word = fc
    .oneof(fc.string(), fc.string({ unit: fc.constantFrom("\\", ",", "-", "a", ":", "(direct)") }))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const filter = fc.record({
    values: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
    excluded: fc.boolean(),
  });
  fc.assert(
    // A filter of URLs may contain values that are not URLs.
    fc.property(filter, (words) => {
      expect(parseFilter("city", writeFilter(words))).toEqual(words);
    }),
  );
  const address = fc.webUrl({ withQueryParameters: true, withFragments: true });
  fc.assert(
    fc.property(fc.uniqueArray(address, { minLength: 1, maxLength: 3 }), (urls) => {
      const words = { values: urls, excluded: false };
      expect(parseFilter("refererUrl", writeFilter(words))).toEqual(words);
    }),
  );
});

test.each([
  ["country", "DE,FR", ["DE", "FR"], false],
  ["country", "-DE, FR", ["DE", "FR"], true],
  ["city", "Washington\\, D.C.,Berlin", ["Washington, D.C.", "Berlin"], false],
  ["city", "\\-x", ["-x"], false],
  ["city", "a\\\\,b", ["a\\", "b"], false],
  [
    "url",
    "https://a.example/1,2,https://b.example/",
    ["https://a.example/1,2", "https://b.example/"],
    false,
  ],
  ["refererUrl", "(direct),https://a.example/", ["(direct)", "https://a.example/"], false],
])("%s=%s", (name, text, values, excluded) => {
  expect(parseFilter(name, text)).toEqual({ values, excluded });
});

test.each(["", "-", ",", "-,,", " , "])("%j is not a filter", (text) => {
  expect(parseFilter("city", text)).toBeUndefined();
});
