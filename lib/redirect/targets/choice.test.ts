import { expect, test } from "vitest";
import { giveSettings } from "../../../test/settings.ts";
import { pointOf, variantAt } from "./choice.ts";

giveSettings();

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";
test("the variants of a test get their percentages of 100,000 visitors within one percent, and keep theirs", () => {
  const variants = [
    { url: "a", percentage: 33.3 },
    { url: "b", percentage: 16.7 },
    { url: "c", percentage: 50 },
  ];
  const counts: Record<string, number> = {};
  for (let visitor = 0; visitor < 100_000; visitor++) {
    const address = `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`;
    const request = { address, userAgent: iphone };
    const url = variantAt(variants, pointOf(7, request)) ?? "";
    if (visitor % 1_000 === 0) {
      expect(variantAt(variants, pointOf(7, { ...request }))).toBe(url);
    }
    counts[url] = (counts[url] ?? 0) + 1;
  }
  for (const { url, percentage } of variants) {
    expect(Math.abs((counts[url] ?? 0) / 1_000 - percentage)).toBeLessThan(1);
  }
});
