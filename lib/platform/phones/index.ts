/** Phone numbers as E.164, such as +8613800138000. */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { AppError } from "#lib/platform/errors";

export { countryOfZone } from "./zone-countries.ts";

/** Longer texts are no phone numbers. */
const phoneCharsMax = 40;

export interface Phone {
  /** E.164 */
  number: string;
  /** ISO 3166-1; the empty text for numbers of no country. */
  country: string;
}

/** A valid phone number; without a country code, it is one of the default country. */
export function parsePhone(text: string, defaultCountry: string): Phone | undefined {
  if (text.length > phoneCharsMax) return undefined;
  const country = isPhoneCountry(defaultCountry) ? defaultCountry : undefined;
  // Not found within other text: the whole text is the number.
  const options = { extract: false, ...(country ? { defaultCountry: country } : {}) };
  const parsed = parsePhoneNumberFromString(text.trim(), options);
  if (!parsed?.isValid() || parsed.ext) return undefined;
  return { number: parsed.number, country: parsed.country ?? "" };
}

export function isPhoneCountry(country: string): country is CountryCode {
  return isSupportedCountry(country);
}

/** Throws a 422 for codes of no country with phones. */
export function assertPhoneCountries(field: string, countries: readonly string[]): void {
  const unknown = countries.find((country) => !isPhoneCountry(country));
  if (unknown === undefined) return;
  const message = `${field}: "${unknown}" is no country with phone numbers. Use codes such as CN.`;
  throw new AppError("unprocessable_entity", message, {
    problem: "country_unknown",
    params: { country: unknown },
  });
}

/** What phone numbers of a country start with, such as +44; empty for no country. */
export function callingCode(country: string): string {
  return isPhoneCountry(country) ? `+${getCountryCallingCode(country)}` : "";
}

/** Digits of a masked phone: enough to tell two of them apart, and too few to try all others. */
// defence: phone-mask-digits
const shownLast = 2;

/** The one form in which phones are shown to those who may not see them, such as +86 **** 34. */
export function maskPhone(number: string): string {
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed) return "****";
  return `+${parsed.countryCallingCode} **** ${parsed.nationalNumber.slice(-shownLast)}`;
}
