/** From which country a visitor probably has a phone: for numbers that are typed without a country code. */
import type { IncomingMessage } from "node:http";
import { addressOf, countryOf } from "#lib/platform/http";
import { findPlace } from "./choice.ts";

/** Languages of many countries: without a region they say little about a phone. */
const spreadLanguages = ["en", "es", "fr", "ar", "pt"];

/** By place, then by language, the most probable first. A traveller has the phone of home. */
export async function phoneCountriesOf(req: IncomingMessage): Promise<string[]> {
  const place = await findPlace({ address: addressOf(req), country: countryOf(req) });
  const ofLanguage = countryOfLanguage(req.headers["accept-language"] ?? "");
  const countries = [place?.country ?? "", ofLanguage].filter((country) => country !== "");
  return [...new Set(countries)];
}

/** The region of the preferred language, such as GB for en-GB; else where the language is mostly spoken, such as JP. */
function countryOfLanguage(accepted: string): string {
  const [tag = ""] = accepted.split(/[,;]/, 1);
  try {
    const locale = new Intl.Locale(tag.trim());
    if (locale.region) return locale.region;
    return spreadLanguages.includes(locale.language) ? "" : (locale.maximize().region ?? "");
  } catch {
    return ""; // RangeError: not a language, such as *
  }
}
