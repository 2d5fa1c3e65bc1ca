import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/qr-templates";
import * as fields from "#lib/outreach/qr-templates/schema";
import { access } from "./access.ts";
import { fileResponses, idParams, named, Resource } from "./router.ts";

const template = named("QrTemplate", fields.templateShape);
const logo = named("QrLogo", fields.logoShape);
const deletedObject = z.object({ id: z.string() });
const templateParams = idParams("qrt", "The id of the QR code template.");
const logoParams = idParams("qrl", "The id of the QR code logo.");
/**
 * A logo never changes, because a new image gets a new id. It is private to the workspace, so shared caches must not store it.
 */
const keptForever = "private, max-age=31536000, immutable";

export const qrTemplates = new Resource("QR codes");

qrTemplates.answer("listQrTemplates", "get /qr-templates", {
  ...access("links.read", { limitedKeys: true }),
  summary: "List QR code templates",
  description: "Returns all templates, the default first, then oldest first.",
  returns: [200, z.array(template), "The templates."],
  run: ({ scope }) => verbs.listTemplates(scope),
});

qrTemplates.answer("createQrTemplate", "post /qr-templates", {
  ...access("links.write"),
  summary: "Create a QR code template",
  description:
    "Saves a design under a name. A workspace can have up to 100 templates. A new default replaces the previous one.",
  request: { body: fields.newTemplate },
  returns: [201, template, "The template."],
  run: ({ scope, body }) => verbs.createTemplate(scope, body),
});

qrTemplates.answer("editQrTemplate", "patch /qr-templates/{id}", {
  ...access("links.write"),
  summary: "Update a QR code template",
  description: "Images that were already downloaded don’t change.",
  request: { params: templateParams, body: fields.editTemplateBody },
  returns: [200, template, "The updated template."],
  run: ({ scope, params, body }) => verbs.editTemplate(scope, params.id, body),
});

qrTemplates.answer("deleteQrTemplate", "delete /qr-templates/{id}", {
  ...access("links.write"),
  summary: "Delete a QR code template",
  description: "Its logo is kept in the workspace.",
  request: { params: templateParams },
  returns: [200, deletedObject, "The id of the deleted template."],
  run: ({ scope, params }) => verbs.deleteTemplate(scope, params.id),
});

qrTemplates.answer("listQrLogos", "get /qr-logos", {
  ...access("links.read"),
  summary: "List logos",
  description: "Returns all logos, newest first.",
  returns: [200, z.array(logo), "The logos."],
  run: ({ scope }) => verbs.listLogos(scope),
});

qrTemplates.answer("createQrLogo", "post /qr-logos", {
  ...access("links.write"),
  summary: "Upload a logo",
  description:
    "Accepts PNG, JPEG and WebP images up to 512 KB and 4096 × 4096 pixels, and SVG up to 128 KB without text, images and filters. Images are converted to PNG and scaled down to 512 × 512 pixels. The same image is stored only once. A workspace can have up to 100 logos.",
  request: { body: fields.newLogo },
  returns: [201, logo, "The logo."],
  run: async ({ c, scope, body }) => {
    const bytes = Buffer.from(body.image, "base64");
    return await verbs.storeLogo(scope, bytes, c.req.raw.signal);
  },
});

qrTemplates.respond("getQrLogo", "get /qr-logos/{id}", {
  ...access("links.read"),
  summary: "Get a logo as PNG",
  description: "The image never changes and can be cached.",
  request: { params: logoParams },
  responses: fileResponses(["image/png"], "The image."),
  run: async ({ scope, params }) => {
    const png = await verbs.getLogoPng(scope, params.id);
    return new Response(png, {
      headers: {
        "Content-Type": "image/png",
        "Content-Length": String(png.length),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": keptForever,
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      },
    });
  },
});

qrTemplates.answer("deleteQrLogo", "delete /qr-logos/{id}", {
  ...access("links.write"),
  summary: "Delete a logo",
  description: "Returns 409 if a template or a link uses the logo.",
  request: { params: logoParams },
  returns: [200, deletedObject, "The id of the deleted logo."],
  run: ({ scope, params }) => verbs.deleteLogo(scope, params.id),
});
