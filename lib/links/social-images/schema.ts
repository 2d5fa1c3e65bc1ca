import { z } from "zod";
import { pageOf, pageSizeOf } from "#lib/basics/fields/schema";

/** Before it is encoded again. */
export const uploadBytesMax = 700 * 1_024;
const base64CharsMax = Math.ceil(uploadBytesMax / 3) * 4;

const pageMax = 1_000;
const pageSizeMax = 100;
export const namedLinksMax = 5;

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

export const listedImageShape = socialImageShape.extend({
  bytes: z.number().describe("Size of the JPEG."),
  linkCount: z.number().describe("Links with this image that you may see."),
  links: z
    .array(z.object({ id: z.string(), shortLink: z.string() }))
    .describe(`The newest of these links, up to ${namedLinksMax}.`),
});
export type ListedImage = z.output<typeof listedImageShape>;

export const listImagesQuery = z.object({
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax),
});
export type ListImages = z.output<typeof listImagesQuery>;
