/** Images for social previews: uploaded by members and API keys, and fetched by networks, which have no key. */
import { z } from "@hono/zod-openapi";
import {
  deleteSocialImage,
  getSocialImage,
  listSocialImages,
  storeSocialImage,
} from "#lib/links/social-images";
import {
  listedImageShape,
  listImagesQuery,
  newSocialImage,
  socialImageShape,
} from "#lib/links/social-images/schema";
import { access } from "./access.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Links"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const shape = z.object(socialImageShape.shape).openapi("SocialImage");
const params = z.object({ id: z.string().openapi({ example: "img_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const create = createRoute({
  method: "post",
  path: "/social-images",
  operationId: "createSocialImage",
  ...access("links.write"),
  tags,
  summary: "Upload an image for social previews",
  description:
    "Accepts PNG, JPEG and WebP images up to 700 KB and 4096 × 4096 pixels, but not SVG. Images are converted to JPEG and scaled down to 1200 × 630 pixels. Set the `image` of a link to the returned `url`. The same image is stored only once. A workspace can have up to 1,000 images; when it is full, images that no link has used for 30 days are deleted.",
  request: jsonBody(newSocialImage),
  responses: responses(201, shape, "The image."),
});

const listed = z.object(listedImageShape.shape).openapi("ListedSocialImage");

const list = createRoute({
  method: "get",
  path: "/social-images",
  operationId: "listSocialImages",
  ...access("links.read"),
  tags,
  summary: "List images for social previews",
  description:
    "Returns a page of the uploaded images, newest first, with their size and the links that use them.",
  request: { query: listImagesQuery },
  responses: responses(200, z.array(listed), "A page of images."),
});

const remove = createRoute({
  method: "delete",
  path: "/social-images/{id}",
  operationId: "deleteSocialImage",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Delete an image for social previews",
  description:
    "Links that use the image keep its URL, and their social previews have no image any more. Networks that have read it may show it longer. Only for owners and admins.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted image."),
});

const {
  401: _key,
  403: _role,
  409: _taken,
  ...fetched
} = fileResponses(["image/jpeg"], "The image.");

const get = createRoute({
  method: "get",
  path: "/social-images/{id}",
  operationId: "getSocialImage",
  ...access("nobody"),
  tags,
  summary: "Get an image as JPEG",
  description: "No API key is needed, because social networks fetch it. The image never changes.",
  request: { params },
  responses: fetched,
});

export const socialImages = newRouter();
/** Mounted before authentication. */
export const publicSocialImages = newRouter();

socialImages.openapi(create, async (c) => {
  const { image } = c.req.valid("json");
  const bytes = Buffer.from(image, "base64");
  return c.json(await storeSocialImage(c.get("scope"), bytes, c.req.raw.signal), 201);
});

socialImages.openapi(list, async (c) =>
  c.json(await listSocialImages(c.get("scope"), c.req.valid("query")), 200),
);
socialImages.openapi(remove, async (c) =>
  c.json(await deleteSocialImage(c.get("scope"), c.req.valid("param").id), 200),
);

publicSocialImages.openapi(get, async (c) => {
  const jpeg = await getSocialImage(c.req.valid("param").id, c.env.address);
  return new Response(new Uint8Array(jpeg), {
    headers: {
      "Content-Type": "image/jpeg",
      "Content-Length": String(jpeg.length),
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
});
