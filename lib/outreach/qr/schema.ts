/** The parameters of a QR code. */
import { z } from "zod";
import { contrastOf, luminanceOf } from "#lib/platform/colors/schema";
import { webUrl } from "#lib/platform/urls/schema";

export const qrLevels = ["L", "M", "Q", "H"] as const;
export type QrLevel = (typeof qrLevels)[number];

const sizePixelsMin = 32;
const sizePixelsMax = 2_048;
const sizeUsual = 600;
const marginModulesMax = 32;
const marginUsual = 2;
const logoCharsMax = 2_048;

const flag = z.enum(["true", "false"], "Use true or false.");

/** `#rgb` or `#rrggbb`; the # is optional, because in a URL it would have to be escaped. */
const color = z
  .string()
  .trim()
  .regex(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, "Use a color such as #1a2b3c.")
  .overwrite(sixDigits);

function sixDigits(text: string): string {
  const digits = text.replace("#", "").toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

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
  format: z.enum(["png", "svg"], "Use png or svg.").default("png"),
  logo: z.string().max(logoCharsMax).optional().describe("Accepted but ignored."),
  hideLogo: flag.optional().describe("Accepted but ignored."),
});
export type QrQuery = z.output<typeof qrQuery>;

export const qrDots = ["square", "rounded", "dots"] as const;
export const qrCorners = ["square", "rounded", "circle"] as const;
export const qrFrames = ["none", "line", "label"] as const;

/** Readers find the code by the light margin around it. */
export const designMarginMin = 2;
export const designMarginMax = 16;
export const captionCharsMax = 40;
const logoIdCharsMax = 64;

const caption = z
  .string()
  .trim()
  .normalize()
  .max(captionCharsMax, `Use at most ${captionCharsMax} characters.`)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "Remove the control characters.");

/** The design of a code. Every field has a default, so `{}` is a plain black code. */
export const qrDesign = z.strictObject({
  dots: z.enum(qrDots, `Use one of ${qrDots.join(", ")}.`).default("square"),
  corners: z.enum(qrCorners, `Use one of ${qrCorners.join(", ")}.`).default("square"),
  foreground: color.default("#000000").describe("Color of the dots, frame and caption."),
  cornerColor: color.default("#000000").describe("Color of the three corners."),
  background: color.default("#ffffff").describe("Background color."),
  level: z
    .enum(qrLevels, `Use one of ${qrLevels.join(", ")}.`)
    .default("M")
    .describe("Error correction. Always H with a logo."),
  margin: z
    .int("Use a whole number of modules.")
    .min(designMarginMin, `Use at least ${designMarginMin} modules.`)
    .max(designMarginMax, `Use at most ${designMarginMax} modules.`)
    .default(4)
    .describe("Margin around the code, in modules."),
  frame: z.enum(qrFrames, `Use one of ${qrFrames.join(", ")}.`).default("none"),
  caption: caption.default("").describe("Text below the code."),
  logoId: z
    .string()
    .max(logoIdCharsMax)
    .nullable()
    .default(null)
    .describe("Id of a logo for the center of the code."),
});
export type QrDesign = z.output<typeof qrDesign>;

/** The default of every field. */
export const plainDesign: QrDesign = qrDesign.parse({});

export const pictureFormats = ["png", "svg"] as const;
export type PictureFormat = (typeof pictureFormats)[number];
export const pictureWidthMin = 128;
export const pictureWidthMax = 4_096;

/** Cameras cannot read codes with less contrast. */
export const contrastMin = 3;
/** Below this a code is unreadable in poor light. */
const contrastGood = 4.5;

/**
 * Why a design may not scan. `alike` is refused; the others are drawn with a warning: `inverted` is a light code on a
 * dark background, `faint` is unreadable in poor light.
 */
export type DesignWarning = "alike" | "inverted" | "faint";

export function findDesignWarnings(
  design: Pick<QrDesign, "foreground" | "cornerColor" | "background">,
): DesignWarning[] {
  const { foreground, cornerColor, background } = design;
  const grounds = luminanceOf(background);
  const inks = [foreground, cornerColor];
  const least = Math.min(...inks.map((ink) => contrastOf(ink, background)));
  const lighter = inks.filter((ink) => luminanceOf(ink) > grounds).length;
  // Readers do not recognize corners lighter than the background among darker dots.
  if (least < contrastMin || lighter === 1) return ["alike"];
  return [
    ...(lighter > 0 ? ["inverted" as const] : []),
    ...(least < contrastGood ? ["faint" as const] : []),
  ];
}
