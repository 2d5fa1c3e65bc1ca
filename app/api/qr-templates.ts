/** Templates and logos for the QR codes of a workspace. */
import { z } from "@hono/zod-openapi";
import {
  createTemplate,
  deleteLogo,
  deleteTemplate,
  editTemplate,
  getLogoPng,
  listLogos,
  listTemplates,
  storeLogo,
} from "#lib/outreach/qr-templates";
import {
  editTemplateBody,
  logoShape,
  newLogo,
  newTemplate,
  templateShape,
} from "#lib/outreach/qr-templates/schema";
import { access } from "./access.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["QR codes"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const template = z.object(templateShape.shape).openapi("QrTemplate");
const logo = z.object(logoShape.shape).openapi("QrLogo");
const deletedObject = z.object({ id: z.string() });
const templateParams = z.object({
  id: z.string().openapi({ example: "qrt_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }),
});
const logoParams = z.object({
  id: z.string().openapi({ example: "qrl_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }),
});
/** A logo never changes: another image has another id. It is private to the workspace, so no shared cache stores it. */
const keptForever = "private, max-age=31536000, immutable";

const list = createRoute({
  method: "get",
  path: "/qr-templates",
  operationId: "listQrTemplates",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "List QR code templates",
  description: "Returns all templates, the default first, then oldest first.",
  responses: responses(200, z.array(template), "The templates."),
});

const create = createRoute({
  method: "post",
  path: "/qr-templates",
  operationId: "createQrTemplate",
  ...access("links.write"),
  tags,
  summary: "Create a QR code template",
  description:
    "Saves a design under a name. A workspace can have up to 100 templates. A new default replaces the previous one.",
  request: jsonBody(newTemplate),
  responses: responses(201, template, "The template."),
});

const edit = createRoute({
  method: "patch",
  path: "/qr-templates/{id}",
  operationId: "editQrTemplate",
  ...access("links.write"),
  tags,
  summary: "Update a QR code template",
  description: "Images that were already downloaded don’t change.",
  request: { params: templateParams, ...jsonBody(editTemplateBody) },
  responses: responses(200, template, "The updated template."),
});

const remove = createRoute({
  method: "delete",
  path: "/qr-templates/{id}",
  operationId: "deleteQrTemplate",
  ...access("links.write"),
  tags,
  summary: "Delete a QR code template",
  description: "Its logo is kept in the workspace.",
  request: { params: templateParams },
  responses: responses(200, deletedObject, "The id of the deleted template."),
});

const listPictures = createRoute({
  method: "get",
  path: "/qr-logos",
  operationId: "listQrLogos",
  ...access("links.read"),
  tags,
  summary: "List logos",
  description: "Returns all logos, newest first.",
  responses: responses(200, z.array(logo), "The logos."),
});

const createPicture = createRoute({
  method: "post",
  path: "/qr-logos",
  operationId: "createQrLogo",
  ...access("links.write"),
  tags,
  summary: "Upload a logo",
  description:
    "Accepts PNG, JPEG and WebP images up to 512 KB and 4096 × 4096 pixels, and SVG up to 128 KB without text, images and filters. Images are converted to PNG and scaled down to 512 × 512 pixels. The same image is stored only once. A workspace can have up to 100 logos.",
  request: jsonBody(newLogo),
  responses: responses(201, logo, "The logo."),
});

const getPicture = createRoute({
  method: "get",
  path: "/qr-logos/{id}",
  operationId: "getQrLogo",
  ...access("links.read"),
  tags,
  summary: "Get a logo as PNG",
  description: "The image never changes and can be cached.",
  request: { params: logoParams },
  responses: fileResponses(["image/png"], "The image."),
});

const removePicture = createRoute({
  method: "delete",
  path: "/qr-logos/{id}",
  operationId: "deleteQrLogo",
  ...access("links.write"),
  tags,
  summary: "Delete a logo",
  description: "Returns 409 if a template or a link uses the logo.",
  request: { params: logoParams },
  responses: responses(200, deletedObject, "The id of the deleted logo."),
});

export const qrTemplates = newRouter();

qrTemplates.openapi(list, async (c) => c.json(await listTemplates(c.get("scope")), 200));
qrTemplates.openapi(create, async (c) =>
  c.json(await createTemplate(c.get("scope"), c.req.valid("json")), 201),
);
qrTemplates.openapi(edit, async (c) =>
  c.json(await editTemplate(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
qrTemplates.openapi(remove, async (c) =>
  c.json(await deleteTemplate(c.get("scope"), c.req.valid("param").id), 200),
);
qrTemplates.openapi(listPictures, async (c) => c.json(await listLogos(c.get("scope")), 200));
qrTemplates.openapi(createPicture, async (c) => {
  const bytes = Buffer.from(c.req.valid("json").image, "base64");
  return c.json(await storeLogo(c.get("scope"), bytes, c.req.raw.signal), 201);
});
qrTemplates.openapi(getPicture, async (c) => {
  const png = await getLogoPng(c.get("scope"), c.req.valid("param").id);
  return new Response(png, {
    headers: {
      "Content-Type": "image/png",
      "Content-Length": String(png.length),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": keptForever,
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
});
qrTemplates.openapi(removePicture, async (c) =>
  c.json(await deleteLogo(c.get("scope"), c.req.valid("param").id), 200),
);
