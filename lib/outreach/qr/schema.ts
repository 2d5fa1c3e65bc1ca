import { z } from "zod";
import { webUrl } from "#lib/basics/fields/schema";
import { color, qrLevels } from "#lib/links/qr-design/schema";

const sizePixelsMin = 32;
const sizePixelsMax = 2_048;
const sizeUsual = 600;
const marginModulesMax = 32;
const marginUsual = 2;
const logoCharsMax = 2_048;
const designCharsMax = 100;

const flag = z.enum(["true", "false"], "Use true or false.");

export const qrQuery = z.object({
  url: webUrl.describe("The full URL to encode."),
  size: z.coerce
    .number()
    .int("Use a whole number of pixels.")
    .min(sizePixelsMin, `Use at least ${sizePixelsMin} pixels.`)
    .max(sizePixelsMax, `Use at most ${sizePixelsMax} pixels, or format=svg for print.`)
    .default(sizeUsual)
    .describe("Width and height in pixels."),
  level: z
    .enum(qrLevels, `Use one of ${qrLevels.join(", ")}.`)
    .default("L")
    .describe("Error correction: how much of the code can be damaged. L 7%, M 15%, Q 25%, H 30%."),
  fgColor: color.default("#000000").describe("Foreground color, as `#rgb` or `#rrggbb`."),
  bgColor: color.default("#ffffff").describe("Background color."),
  margin: z.coerce
    .number()
    .int("Use a whole number of modules.")
    .min(0, "Use 0 or more modules.")
    .max(marginModulesMax, `Use at most ${marginModulesMax} modules.`)
    .default(marginUsual)
    .describe("Margin around the code, in modules."),
  includeMargin: flag.default("true").describe("false: no margin."),
  format: z
    .enum(["png", "svg"], "Use png or svg.")
    .default("png")
    .describe("The format of the image."),
  design: z
    .string()
    .max(designCharsMax)
    .optional()
    .describe(
      "Part of the `qrCode` of a link: shows the design saved with the link. Ignored for any other URL.",
    ),
  logo: z.string().max(logoCharsMax).optional().describe("Accepted but ignored."),
  hideLogo: flag.optional().describe("Accepted but ignored."),
});
export type QrQuery = z.output<typeof qrQuery>;

export const pictureFormats = ["png", "svg", "pdf"] as const;
export type PictureFormat = (typeof pictureFormats)[number];
export const pictureWidthMin = 128;
export const pictureWidthMax = 4_096;
export const printMillimetersMin = 10;
export const printMillimetersMax = 1_000;
