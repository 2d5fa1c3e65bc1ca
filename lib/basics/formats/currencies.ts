/**
 * Currencies of ISO 4217 and the digits of their minor units ("List One", published by SIX on 2024-06-25), without funds,
 * metals and test codes. `Intl` has the digits of everyday prices instead, such as none for the Iraqi dinar.
 */
const withTwo =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG";
const withNone = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const withThree = "BHD IQD JOD KWD LYD OMR TND";

const digitsByCode = new Map<string, number>();
for (const [codes, digits] of [
  [withNone, 0],
  [withTwo, 2],
  [withThree, 3],
] as const) {
  for (const code of codes.split(" ")) digitsByCode.set(code, digits);
}

/** The digits of the minor unit of a currency: 2 for USD, 0 for JPY, 3 for KWD. Undefined: no currency. */
export function minorDigits(code: string): number | undefined {
  return digitsByCode.get(code);
}

/** Value of one unit of a currency in another one, as decimal texts. */
export type Rates = Readonly<Record<string, string>>;

const ratePattern = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** True for a positive decimal, which is then multiplied exactly. */
export function isRate(text: string): boolean {
  return ratePattern.test(text) && /[1-9]/.test(text);
}

/**
 * An amount in minor units of the base currency, rounded half up to a whole one. Undefined: there is no rate for its
 * currency. Computed with integers, so that no digit depends on floating point.
 */
export function convertAmount(
  amount: number,
  currency: string,
  { base, rates }: { base: string; rates: Rates },
): number | undefined {
  if (currency === base) return amount;
  const [from, to] = [minorDigits(currency), minorDigits(base)];
  const [, whole, fraction = ""] = ratePattern.exec(rates[currency] ?? "") ?? [];
  if (from === undefined || to === undefined || whole === undefined) return undefined;
  const numerator = BigInt(amount) * BigInt(whole + fraction) * 10n ** BigInt(to);
  const denominator = 10n ** BigInt(fraction.length + from);
  return Number((2n * numerator + denominator) / (2n * denominator));
}
