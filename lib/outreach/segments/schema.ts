import { z } from "zod";

const countriesMax = 250;

const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, "Use a decimal number with up to six decimals, such as 0.045.");

export const pricesShape = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, "Use a currency code with three letters, such as EUR."),
  perPart: z
    .record(
      z.string().regex(/^([A-Z]{2}|default)$/, "Use country codes such as CN, or `default`."),
      price,
    )
    .refine((prices) => Object.keys(prices).length <= countriesMax, {
      message: `Use at most ${countriesMax} prices.`,
    })
    .describe("The price of one part by country (ISO 3166-1); `default` is that of all others."),
});
export type Prices = z.output<typeof pricesShape>;

const textCharsMax = 10_000;

export const checkTextBody = z.strictObject({
  text: z.string().max(textCharsMax, `Use at most ${textCharsMax} characters.`),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "Use a country code with two letters, such as CN.")
    .describe("Where the message is sent (ISO 3166-1)."),
  prices: pricesShape.nullish(),
});
export type CheckText = z.output<typeof checkTextBody>;

export const checkedTextShape = z.object({
  encoding: z.enum(["GSM-7", "UCS-2"]),
  units: z.number().describe("Septets of GSM-7, or UTF-16 units of UCS-2."),
  parts: z.array(z.string()).describe("The texts of the parts."),
  cost: z.string().nullable().describe("By `prices`; null without a price for the country."),
  wideCharacters: z
    .array(
      z.object({
        at: z.number().describe("Position in the text, in UTF-16 units."),
        char: z.string(),
        replacement: z.string().nullable(),
      }),
    )
    .describe("The characters that aren’t in GSM-7, up to 100."),
  replacement: z
    .object({ text: z.string(), parts: z.number() })
    .describe("The text with replacements for these characters, where there are any."),
});
export type CheckedText = z.output<typeof checkedTextShape>;
