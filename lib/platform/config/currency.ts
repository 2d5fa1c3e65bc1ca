/** Currencies and their rates in the settings. */
import { isRate, minorDigits, type Rates } from "#lib/basics/formats/schema";
import { InvalidValue, type Parse } from "./values.ts";

export const currency: Parse<string> = (value) => {
  if (minorDigits(value) !== undefined) return value;
  throw new InvalidValue("a currency code of ISO 4217, such as USD");
};

/** `EUR=1.08, JPY=0.0067` */
export const rates: Parse<Rates> = (value) => {
  const known: Record<string, string> = {};
  for (const entry of value.split(",").map((one) => one.trim())) {
    if (entry === "") continue;
    const [code = "", rate = ""] = entry.split("=").map((part) => part.trim());
    if (minorDigits(code) === undefined || !isRate(rate)) {
      throw new InvalidValue("comma-separated currency codes with rates, such as EUR=1.08");
    }
    known[code] = rate;
  }
  return known;
};
