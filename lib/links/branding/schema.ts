/** How the pages look that visitors of a workspace's links meet: one color and a small logo. */
import { z } from "zod";

/** The pictures that are taken, before they are encoded anew. */
const uploadBytesMax = 512 * 1_024;
const base64CharsMax = Math.ceil((uploadBytesMax * 4) / 3) + 4;

export const editLookBody = z.strictObject({
  color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, "Give a color such as #0f766e.")
    .nullish()
    .describe("Of buttons; their words are black or white, whichever is read better."),
  logo: z
    .base64("Give the picture in base64.")
    .min(1, "The picture is empty.")
    .max(base64CharsMax, "A logo has at most 512 KB. Make the picture smaller.")
    .nullish()
    .describe(
      "A PNG, JPEG or WebP of at most 512 KB in base64. It is encoded anew as a PNG of at most 4 KB.",
    ),
});
export type EditLook = z.output<typeof editLookBody>;

export const lookShape = z.object({
  color: z.string().nullable(),
  logo: z.string().nullable().describe("The PNG in base64."),
});
export type Look = z.output<typeof lookShape>;
