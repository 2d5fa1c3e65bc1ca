/** Returns black or white, one of which has a contrast of at least 4.58. */
export function inkOn(color: string): "#000" | "#fff" {
  // Above this, black has more contrast: (L + 0.05) / 0.05 = 1.05 / (L + 0.05).
  return luminanceOf(color) > Math.sqrt(1.05 * 0.05) - 0.05 ? "#000" : "#fff";
}

export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The contrast of text that WCAG AA asks for. */
export const textContrastMin = 4.5;
const shades = 20;

/** Mixes the color with black or white until text in it is readable on the background. */
export function readableOn(color: string, background: string): string {
  const ink = inkOn(background) === "#000" ? 0 : 255;
  for (let step = 0; step < shades; step++) {
    const mixed = channelsOf(color).map((byte) =>
      Math.round(byte + ((ink - byte) * step) / shades),
    );
    const shade = `#${mixed.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    if (contrastOf(shade, background) >= textContrastMin) return shade;
  }
  return inkOn(background);
}

export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** ISO 4217 (2024-06-25). `Intl` has the digits of everyday prices instead. */
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

export function minorDigits(code: string): number | undefined {
  return digitsByCode.get(code);
}

export type Rates = Readonly<Record<string, string>>;

const ratePattern = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** Accepts positive decimals, which are multiplied exactly. */
export function isRate(text: string): boolean {
  return ratePattern.test(text) && /[1-9]/.test(text);
}

/** Minor units of the base currency, rounded half up; undefined: no rate. Integers are exact. */
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

export const icpCharsMax = 32;
export const icpRegister = "https://beian.miit.gov.cn/";

/** ICP numbers of websites in mainland China, such as 京ICP备12345678号-1. */
const icpPattern =
  /^[京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川蜀贵黔云滇藏陕秦甘陇青宁新]ICP[备证]\d+号(?:-\d+[A-Z]?)?$/;

export function isIcpNumber(text: string): boolean {
  return text.length <= icpCharsMax && icpPattern.test(text);
}
