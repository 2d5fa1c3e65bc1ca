/** Images for social previews: uploaded by members and API keys, and fetched by networks, which have no key. */
import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/links/social-images";
import * as fields from "#lib/links/social-images/schema";
import { access } from "./access.ts";
import { fileResponses, idParams, named, Resource } from "./router.ts";

const shape = named("SocialImage", fields.socialImageShape);
const params = idParams("img", "The id of the image.");

const listed = named("ListedSocialImage", fields.listedImageShape);

const {
  401: _key,
  403: _role,
  409: _taken,
  ...fetched
} = fileResponses(["image/jpeg"], "The image.");

export const socialImages = new Resource("Links");
/** Mounted before authentication. */
export const publicSocialImages = new Resource("Links");

socialImages.answer("createSocialImage", "post /social-images", {
  ...access("links.write"),
  summary: "Upload an image for social previews",
  description:
    "Accepts PNG, JPEG and WebP images up to 700 KB and 4096 × 4096 pixels, but not SVG. Images are converted to JPEG and scaled down to 1200 × 630 pixels. Set the `image` of a link to the returned `url`. The same image is stored only once. A workspace can have up to 1,000 images; when it is full, images that no link has used for 30 days are deleted.",
  request: { body: fields.newSocialImage },
  returns: [201, shape, "The image."],
  run: ({ c, scope, body }) =>
    verbs.storeSocialImage(scope, Buffer.from(body.image, "base64"), c.req.raw.signal),
});

socialImages.answer("listSocialImages", "get /social-images", {
  ...access("links.read"),
  summary: "List images for social previews",
  description:
    "Returns a page of the uploaded images, newest first, with their size and the links that use them.",
  request: { query: fields.listImagesQuery },
  returns: [200, z.array(listed), "A page of images."],
  run: ({ scope, query }) => verbs.listSocialImages(scope, query),
});

socialImages.answer("deleteSocialImage", "delete /social-images/{id}", {
  ...access("workspace.write", { people: true }),
  summary: "Delete an image for social previews",
  description:
    "Links that use the image keep its URL, but their social previews no longer have an image. Networks that already read it may keep showing it for a while. Only for owners and admins.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted image."],
  run: ({ scope, params }) => verbs.deleteSocialImage(scope, params.id),
});

publicSocialImages.respond("getSocialImage", "get /social-images/{id}", {
  ...access("nobody"),
  summary: "Get an image as JPEG",
  description: "No API key is needed, because social networks fetch it. The image never changes.",
  request: { params },
  responses: fetched,
  run: async ({ c, params }) => {
    const jpeg = await verbs.getSocialImage(params.id, c.env.address);
    return new Response(new Uint8Array(jpeg), {
      headers: {
        "Content-Type": "image/jpeg",
        "Content-Length": String(jpeg.length),
        "Cache-Control": "public, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      },
    });
  },
});
