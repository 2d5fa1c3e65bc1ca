import { z } from "zod";

/** Embedded in each page; base64 makes it a third larger. */
export const pageLogoBytesMax = 4_096;
const uploadBytesMax = 512 * 1_024;
const base64CharsMax = Math.ceil((uploadBytesMax * 4) / 3) + 4;

export const editBrandingBody = z.strictObject({
  color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, "Use a color such as #0f766e.")
    .nullish()
    .describe("Color of buttons. Their text is black or white, whichever has more contrast."),
  logo: z
    .base64("Use base64.")
    .min(1, "The image is empty.")
    .max(base64CharsMax, "A logo can have up to 512 KB. Use a smaller image.")
    .nullish()
    .describe(
      "A PNG, JPEG or WebP image of up to 512 KB, in base64. It’s converted to a PNG of up to 4 KB.",
    ),
});
export type EditBranding = z.output<typeof editBrandingBody>;

export const brandingSuggestionShape = z.object({
  site: z.string().nullable().describe("The host of the site; null if nothing was found."),
  color: z.string().nullable(),
  logo: z.string().nullable().describe("A PNG image in base64, ready for `logo`."),
});
export type BrandingSuggestion = z.output<typeof brandingSuggestionShape>;

export const brandingShape = z.object({
  color: z.string().nullable(),
  logo: z.string().nullable().describe("The PNG image in base64."),
});
export type Branding = z.output<typeof brandingShape>;
