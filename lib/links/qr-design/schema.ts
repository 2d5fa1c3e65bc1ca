import { z } from "zod";
import { channelsOf, contrastOf, luminanceOf } from "#lib/basics/formats/schema";
import { qrCorners, qrDots } from "./shapes.ts";

export {
  type Box,
  barsOf,
  cornerPaths,
  dotPaths,
  type Matrix,
  qrCorners,
  qrDots,
  rectanglePath,
} from "./shapes.ts";

export const qrLevels = ["L", "M", "Q", "H"] as const;
export type QrLevel = (typeof qrLevels)[number];

/** `#rgb` or `#rrggbb`. The # is optional, because URLs would have to escape it. */
export const color = z
  .string()
  .trim()
  .regex(/^#?(?:[\da-fA-F]{3}|[\da-fA-F]{6})$/, "Use a color such as #1a2b3c.")
  .overwrite(sixDigits);

function sixDigits(text: string): string {
  const digits = text.replace("#", "").toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

export const qrGradients = ["none", "linear", "radial"] as const;
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

/** Every field has a default, so `{}` is a plain black code. */
export const qrDesign = z.strictObject({
  dots: z.enum(qrDots, `Use one of ${qrDots.join(", ")}.`).default("square"),
  corners: z.enum(qrCorners, `Use one of ${qrCorners.join(", ")}.`).default("square"),
  cornerDots: z
    .enum(qrCorners, `Use one of ${qrCorners.join(", ")}.`)
    .nullable()
    .default(null)
    .describe("Shape of the block in each corner; null: the same as `corners`."),
  foreground: color.default("#000000").describe("Color of the dots, frame and caption."),
  gradient: z
    .enum(qrGradients, `Use one of ${qrGradients.join(", ")}.`)
    .default("none")
    .describe("Gradient of the dots, from `foreground` to `gradientColor`."),
  gradientColor: color.default("#000000").describe("The second color of a gradient."),
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
  caption: caption
    .default("")
    .describe("Text below the code, in Latin, Cyrillic, Chinese or Japanese characters."),
  logoId: z
    .string()
    .max(logoIdCharsMax)
    .nullable()
    .default(null)
    .describe("Id of a logo for the center of the code."),
});
export type QrDesign = z.output<typeof qrDesign>;

export const plainDesign: QrDesign = qrDesign.parse({});

/** Cameras cannot read codes with less contrast. */
export const contrastMin = 3;
/** Below this a code is unreadable in poor light. */
const contrastGood = 4.5;

/**
 * `alike` is refused. The others are drawn with a warning: `inverted` is a light code on a dark
 * background, `faint` is unreadable in poor light.
 */
export type DesignWarning = "alike" | "inverted" | "faint";

export type DesignColors = Pick<QrDesign, "foreground" | "cornerColor" | "background"> &
  Partial<Pick<QrDesign, "gradient" | "gradientColor">>;

export const tooAlike =
  "The dots and corners have too little contrast with the background to be scanned. Use darker dots and corners, or a lighter background.";

export function findDesignWarnings(design: DesignColors): DesignWarning[] {
  const { cornerColor, background } = design;
  const grounds = luminanceOf(background);
  const inks = [...dotColorsOf(design), cornerColor];
  const least = Math.min(...inks.map((ink) => contrastOf(ink, background)));
  const lighter = inks.filter((ink) => luminanceOf(ink) > grounds).length;
  // Readers do not recognize corners lighter than the background among darker dots.
  if (least < contrastMin || (lighter > 0 && lighter < inks.length)) return ["alike"];
  return [
    ...(lighter > 0 ? ["inverted" as const] : []),
    ...(least < contrastGood ? ["faint" as const] : []),
  ];
}

/** A gradient between two light colors can be dark in the middle, so its steps are checked too. */
const gradientSteps = 16;

function dotColorsOf({ foreground, gradient, gradientColor }: DesignColors): string[] {
  if (gradient === undefined || gradient === "none" || gradientColor === undefined) {
    return [foreground];
  }
  const [from, to] = [channelsOf(foreground), channelsOf(gradientColor)];
  return Array.from({ length: gradientSteps + 1 }, (_, step) => {
    const share = step / gradientSteps;
    const mixed = from.map((channel, at) => channel + ((to[at] ?? 0) - channel) * share);
    return `#${mixed.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
  });
}
