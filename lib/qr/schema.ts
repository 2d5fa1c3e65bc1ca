/** What a QR code may be asked to be. */
import { z } from "zod";
import { webAddress } from "#lib/targets/schema";

export const qrLevels = ["L", "M", "Q", "H"] as const;
export type QrLevel = (typeof qrLevels)[number];

const sizePixelsMin = 32;
const sizePixelsMax = 2_048;
const sizeUsual = 600;
const marginModulesMax = 32;
const marginUsual = 2;
const logoCharsMax = 2_048;

const flag = z.enum(["true", "false"], "Write true or false.");

/** `#rgb` or `#rrggbb`; the # may be missing, because in an address it would have to be escaped. */
const color = z
  .string()
  .trim()
  .regex(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, "Give a color such as #1a2b3c.")
  .overwrite(sixDigits);

function sixDigits(text: string): string {
  const digits = text.replace("#", "").toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

export const qrQuery = z.object({
  url: webAddress.describe("What the code says: a complete address."),
  size: z.coerce
    .number()
    .int("Give a whole number of pixels.")
    .min(sizePixelsMin, `A code has at least ${sizePixelsMin} pixels.`)
    .max(sizePixelsMax, `A code has at most ${sizePixelsMax} pixels. For print ask for format=svg.`)
    .default(sizeUsual)
    .describe("Pixels of a side."),
  level: z
    .enum(qrLevels, `Choose one of ${qrLevels.join(", ")}.`)
    .default("L")
    .describe("How much of a damaged code can be read again: L 7 %, M 15 %, Q 25 %, H 30 %."),
  fgColor: color.default("#000000").describe("Of the dark modules: `#rgb` or `#rrggbb`."),
  bgColor: color.default("#ffffff").describe("Of the ground."),
  margin: z.coerce
    .number()
    .int("Give a whole number of modules.")
    .min(0, "A margin has no less than 0 modules.")
    .max(marginModulesMax, `A margin has at most ${marginModulesMax} modules.`)
    .default(marginUsual)
    .describe("Modules around the code."),
  includeMargin: flag.default("true").describe("`false`: no margin."),
  format: z.enum(["png", "svg"], "Choose png or svg.").default("png"),
  logo: z.string().max(logoCharsMax).optional().describe("Accepted, and changes nothing."),
  hideLogo: flag.optional().describe("Accepted, and changes nothing."),
});
export type QrQuery = z.output<typeof qrQuery>;
