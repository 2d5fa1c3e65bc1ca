import { z } from "zod";
import { comparedName } from "#lib/basics/fields/schema";
import { plainDesign, qrDesign } from "#lib/links/qr-design/schema";
import {
  pictureFormats,
  pictureWidthMax,
  pictureWidthMin,
  printMillimetersMax,
  printMillimetersMin,
} from "#lib/outreach/qr/schema";

export {
  labelMillimetersMin,
  labelSheet,
  labelSheetsBody,
  labelsPerSheetMax,
  type SheetProblemCode,
  sheetProblemCodes,
} from "./label-body.ts";
export {
  type LabelContent,
  type LabelSheet,
  labelPresets,
  type PageName,
  type PresetName,
  pageSizes,
  partsOf,
  placesOf,
  presetNames,
  type TextPlace,
  textPlaces,
} from "./label-sheets.ts";

export const archivesAtOnceMax = 2;
/** Four dots of a printer with 600 dots per inch. With fewer, modules are uneven. */
export const moduleMillimetersMin = 0.17;
/** Four dots of a printer with 300 dots per inch. */
export const moduleMillimetersAdvised = 0.33;
const nameCharsMax = 50;
const idCharsMax = 64;
const archiveLinksMax = 200;
const archiveWidthMax = 2_048;
const widthUsual = 1_024;
const millimetersUsual = 50;
/** Half a megabyte in base64. The size of the image is checked again. */
const logoCharsMax = 1_000_000;

const name = comparedName(nameCharsMax);

const isDefault = z.boolean().describe("Used for new QR codes. Only one template is the default.");

export const newTemplate = z.strictObject({
  name: name.describe("The name of the template."),
  design: qrDesign.default(plainDesign),
  isDefault: isDefault.default(false),
});
export type NewTemplate = z.output<typeof newTemplate>;

export const editTemplateBody = z.strictObject({
  name: name.optional(),
  design: qrDesign.optional().describe("Replaces the entire design."),
  isDefault: isDefault.optional(),
});
export type EditTemplate = z.output<typeof editTemplateBody>;

export const templateShape = z.object({
  id: z.string(),
  name: z.string(),
  design: z.object(qrDesign.shape),
  isDefault: z.boolean(),
  createdAt: z.string(),
});
export type Template = z.output<typeof templateShape>;

export const newLogo = z.strictObject({
  image: z
    .string()
    .max(logoCharsMax, "A logo can have up to 512 KB. Use a smaller image.")
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, "Use base64.")
    .describe("A PNG, JPEG or WebP image of up to 512 KB or an SVG of up to 128 KB, in base64."),
});

export const logoShape = z.object({
  id: z.string(),
  width: z.number(),
  height: z.number(),
  createdAt: z.string(),
});
export type Logo = z.output<typeof logoShape>;

const format = z.enum(pictureFormats, "Use png, svg or pdf.").default("png");
const widthMessages = (max: number) => [
  `Use at least ${pictureWidthMin} pixels.`,
  `Use at most ${max} pixels, or format=pdf for print.`,
];
const [tooNarrow, tooWide] = widthMessages(pictureWidthMax);
const [, tooWideForMany] = widthMessages(archiveWidthMax);
const wholePixels = "Use a whole number of pixels.";
const tooSmall = `Use at least ${printMillimetersMin} millimeters.`;
const tooLarge = `Use at most ${printMillimetersMax} millimeters.`;
const millimetersText = "Width of a PDF in millimeters. A caption increases the height.";

export const defaultTemplate = "default";
export const plainTemplate = "plain";
const template = z
  .string()
  .max(idCharsMax)
  .describe(
    "Id of a template, `default` for the default template, or `plain`. If omitted, the design saved with the link is used, or the default template if it has none.",
  );

export const linkCodeQuery = z.object({
  template: template.optional(),
  format: format.describe("The format of the image."),
  size: z.coerce
    .number()
    .int(wholePixels)
    .min(pictureWidthMin, tooNarrow)
    .max(pictureWidthMax, tooWide)
    .default(widthUsual)
    .describe("Width in pixels. A caption increases the height."),
  millimeters: z.coerce
    .number()
    .min(printMillimetersMin, tooSmall)
    .max(printMillimetersMax, tooLarge)
    .default(millimetersUsual)
    .describe(millimetersText),
});

const millimeters = z
  .number()
  .min(printMillimetersMin, tooSmall)
  .max(printMillimetersMax, tooLarge)
  .default(millimetersUsual)
  .describe(millimetersText);

export const linkCodeBody = z.strictObject({
  design: qrDesign
    .optional()
    .describe("If omitted, the design saved with the link is used, or the default template."),
  format,
  size: z
    .int(wholePixels)
    .min(pictureWidthMin, tooNarrow)
    .max(pictureWidthMax, tooWide)
    .default(widthUsual),
  millimeters,
});

export const codeArchiveBody = z.strictObject({
  linkIds: z
    .array(z.string().max(idCharsMax))
    .min(1, "Add at least one link id.")
    .max(archiveLinksMax, `Use at most ${archiveLinksMax} link ids.`),
  template: template.optional(),
  format,
  size: z
    .int(wholePixels)
    .min(pictureWidthMin, tooNarrow)
    .max(archiveWidthMax, tooWideForMany)
    .default(widthUsual),
  millimeters,
});
export type CodeArchive = z.output<typeof codeArchiveBody>;
