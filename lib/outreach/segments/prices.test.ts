import { expect, test } from "vitest";
import { addCosts, costOf, savingOf } from "./index.ts";
import { pricesShape } from "./schema.ts";

const prices = { currency: "CNY", perPart: { CN: "0.045", default: "0.4" } };

test("the cost of a message is exact, by the price of its country or that of all others", () => {
  expect(costOf(3, "CN", prices)).toBe("0.135");
  expect(costOf(2, "US", prices)).toBe("0.8");
  expect(costOf(10, "US", prices)).toBe("4");
  expect(costOf(1, "US", { currency: "CNY", perPart: { CN: "0.045" } })).toBeNull();
  expect(costOf(1, "US", null)).toBeNull();
});

test("costs add up without rounding; those without a price are left out", () => {
  expect(addCosts(Array.from({ length: 10 }, () => "0.1"))).toBe("1");
  expect(addCosts(["0.000001", null, "2"])).toBe("2.000001");
  expect(addCosts([])).toBe("0");
});

test("a short link saves the parts that the destination would need, never less than none", () => {
  expect(savingOf(1, 3, "CN", prices)).toEqual({ parts: 2, cost: "0.09" });
  expect(savingOf(2, 1, "CN", prices)).toEqual({ parts: 0, cost: "0" });
});

test("prices are decimal texts with at most six decimals, by country", () => {
  const accepts = (perPart: unknown) => pricesShape.safeParse({ currency: "EUR", perPart }).success;
  expect(accepts({ CN: "0.123456", default: "1" })).toBe(true);
  expect(accepts({ CN: "0.1234567" })).toBe(false);
  expect(accepts({ cn: "1" })).toBe(false);
  expect(accepts({ CN: "-1" })).toBe(false);
  expect(accepts({ CN: 1 })).toBe(false);
  expect(pricesShape.safeParse({ currency: "eur", perPart: {} }).success).toBe(false);
});
