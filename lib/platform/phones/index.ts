/** Phone numbers in E.164, such as +8613800138000. */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { AppError } from "#lib/platform/errors";

const phoneCharsMax = 40;

export interface Phone {
  number: string;
  country: string;
}

/** Numbers without a country code belong to the default country. */
export function parsePhone(text: string, defaultCountry: string): Phone | undefined {
  if (text.length > phoneCharsMax) return undefined;
  const country = isPhoneCountry(defaultCountry) ? defaultCountry : undefined;
  const options = { extract: false, ...(country ? { defaultCountry: country } : {}) };
  const parsed = parsePhoneNumberFromString(text.trim(), options);
  if (!parsed?.isValid() || parsed.ext) return undefined;
  return { number: parsed.number, country: parsed.country ?? "" };
}

export function isPhoneCountry(country: string): country is CountryCode {
  return isSupportedCountry(country);
}

/** Throws a 422 for codes of countries without phones. */
export function assertPhoneCountries(field: string, countries: readonly string[]): void {
  const unknown = countries.find((country) => !isPhoneCountry(country));
  if (unknown === undefined) return;
  const message = `${field}: "${unknown}" is no country with phone numbers. Use codes such as CN.`;
  throw new AppError("unprocessable_entity", message, {
    problem: "country_unknown",
    params: { country: unknown },
  });
}

export function callingCode(country: string): string {
  return isPhoneCountry(country) ? `+${getCountryCallingCode(country)}` : "";
}

/** How a phone, which may be masked, looks in spreadsheets: without +, which they would read as the start of a formula. */
export function phoneCell(number: string): string {
  return number.replace(/^\+/, "");
}

/** Enough digits to tell two phones apart, too few to guess the rest. */
// defence: phone-mask-digits
const shownLast = 2;

/** The only form for people who may not see phones, such as +86 **** 34. */
export function maskPhone(number: string): string {
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed) return "****";
  return `+${parsed.countryCallingCode} **** ${parsed.nationalNumber.slice(-shownLast)}`;
}

/** Node 20 has a property, later versions have a function, and the types have neither. */
interface LocaleWithZones extends Intl.Locale {
  timeZones?: string[];
  getTimeZones?: () => string[] | undefined;
}

function zonesOf(country: string): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale("und", { region: country });
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

let countries: ReadonlyMap<string, string> | undefined;

export function countryOfZone(zone: string): string | undefined {
  countries ??= new Map(
    getCountries().flatMap((country) =>
      zonesOf(country).map((one): [string, string] => [canonicalZone(one), country]),
    ),
  );
  return countries.get(canonicalZone(zone));
}

/** Picks one of several names of a zone, such as Asia/Kolkata. */
function canonicalZone(zone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
}
