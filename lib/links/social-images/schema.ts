/** Uploaded images for the social previews of links. */
import { z } from "zod";

/** Limit of an upload, before it is encoded again. */
export const uploadBytesMax = 700 * 1_024;
const base64CharsMax = Math.ceil(uploadBytesMax / 3) * 4;

export const newSocialImage = z.strictObject({
  image: z
    .base64("Use base64.")
    .min(1, "The image is empty.")
    .max(base64CharsMax, "An image can have up to 700 KB. Use a smaller image.")
    .describe("A PNG, JPEG or WebP image of up to 700 KB, in base64."),
});

export const socialImageShape = z.object({
  id: z.string(),
  url: z.string().describe("For the field `image` of a link."),
  width: z.number(),
  height: z.number(),
  createdAt: z.string(),
});
export type SocialImage = z.output<typeof socialImageShape>;
