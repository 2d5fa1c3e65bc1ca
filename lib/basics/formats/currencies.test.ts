import { expect, test } from "vitest";
import { convertAmount, isRate, minorDigits } from "./schema.ts";

test("minor units have the digits of ISO 4217, also where everyday prices have others", () => {
  const digits = ["USD", "JPY", "KWD", "IQD", "HUF", "ISK"].map(minorDigits);
  expect(digits).toEqual([2, 0, 3, 3, 2, 0]);
  expect(["usd", "XXX", ""].map(minorDigits)).toEqual([undefined, undefined, undefined]);
});

test.each([
  // 15.80 EUR at 1.1 are 17.38 USD.
  [1_580, "EUR", "USD", "1.1", 1_738],
  // 1,580 JPY at 0.0067 are 10.586 USD.
  [1_580, "JPY", "USD", "0.0067", 1_059],
  // 1.580 KWD at 3.25 are 5.135 USD: half a cent is rounded up.
  [1_580, "KWD", "USD", "3.25", 514],
  // 10.00 USD at 150 are 1,500 JPY.
  [1_000, "USD", "JPY", "150", 1_500],
  // 10.00 USD at 0.307 are 3.070 KWD.
  [1_000, "USD", "KWD", "0.307", 3_070],
  // Floating point would make it 100.49999999999999.
  [335, "EUR", "USD", "0.3", 101],
  [1_000_000_000_000, "EUR", "USD", "1.000000000001", 1_000_000_000_001],
])("%i %s in %s at %s is %i", (amount, currency, base, rate, expected) => {
  expect(convertAmount(amount, currency, { base, rates: { [currency]: rate } })).toBe(expected);
});

test("the base currency stays as it is, and a currency without a rate is not converted", () => {
  const rates = { EUR: "1.1" };
  expect(convertAmount(1_580, "USD", { base: "USD", rates })).toBe(1_580);
  expect(convertAmount(1_580, "GBP", { base: "USD", rates })).toBeUndefined();
});

test("rates are positive decimals", () => {
  expect(["1", "0.0067", "1.123456789012"].every(isRate)).toBe(true);
  expect(["0", "0.0", "-1", "1e3", "1,1", "", ".5", "1.1234567890123"].some(isRate)).toBe(false);
});
