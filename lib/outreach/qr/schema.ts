/** What a QR code may be asked to be. */
import { z } from "zod";
import { contrastOf, luminanceOf } from "#lib/platform/colors/schema";
import { webAddress } from "#lib/platform/urls/schema";

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

export const qrDots = ["square", "rounded", "dots"] as const;
export const qrCorners = ["square", "rounded", "circle"] as const;
export const qrFrames = ["none", "line", "label"] as const;

/** Readers find the code by the light around it. */
export const designMarginMin = 2;
export const designMarginMax = 16;
export const captionCharsMax = 40;
const logoIdCharsMax = 64;

const caption = z
  .string()
  .trim()
  .normalize()
  .max(captionCharsMax, `A caption has at most ${captionCharsMax} characters.`)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "A caption has no control characters.");

/** How the code of a link looks. Every field has a usual value, so `{}` is a plain black code. */
export const qrDesign = z.strictObject({
  dots: z.enum(qrDots, `Choose one of ${qrDots.join(", ")}.`).default("square"),
  corners: z.enum(qrCorners, `Choose one of ${qrCorners.join(", ")}.`).default("square"),
  foreground: color.default("#000000").describe("Of the dots, and of frame and caption."),
  cornerColor: color.default("#000000").describe("Of the three corners."),
  background: color.default("#ffffff").describe("Of the ground."),
  level: z
    .enum(qrLevels, `Choose one of ${qrLevels.join(", ")}.`)
    .default("M")
    .describe("With a logo the level is H, whatever is said here."),
  margin: z
    .int("Give a whole number of modules.")
    .min(designMarginMin, `A margin has at least ${designMarginMin} modules.`)
    .max(designMarginMax, `A margin has at most ${designMarginMax} modules.`)
    .default(4)
    .describe("Modules around the code."),
  frame: z.enum(qrFrames, `Choose one of ${qrFrames.join(", ")}.`).default("none"),
  caption: caption.default("").describe("A line of text below the code."),
  logoId: z
    .string()
    .max(logoIdCharsMax)
    .nullable()
    .default(null)
    .describe("A logo of the workspace, in the middle of the code."),
});
export type QrDesign = z.output<typeof qrDesign>;

/** The usual value of every field. */
export const plainDesign: QrDesign = qrDesign.parse({});

export const pictureFormats = ["png", "svg"] as const;
export type PictureFormat = (typeof pictureFormats)[number];
export const pictureWidthMin = 128;
export const pictureWidthMax = 4_096;

/** Cameras lose codes whose colors differ less. */
export const contrastMin = 3;
/** Below this a code is lost in poor light. */
const contrastGood = 4.5;

/**
 * Why a design may not scan. `alike` is refused; the others are drawn, and people should know: `inverted` is a light
 * code on a dark ground, `faint` gets lost in poor light.
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
  // Corners lighter than the ground among darker dots are no corners to any reader.
  if (least < contrastMin || lighter === 1) return ["alike"];
  return [
    ...(lighter > 0 ? ["inverted" as const] : []),
    ...(least < contrastGood ? ["faint" as const] : []),
  ];
}
