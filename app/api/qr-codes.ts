/** The codes of links in the designs of their workspace: one as an image, many as an archive. */
import { z } from "@hono/zod-openapi";
import { drawLinkCode, openCodeArchive, openLabelSheets } from "#lib/outreach/qr-templates";
import {
  codeArchiveBody,
  labelSheetsBody,
  linkCodeBody,
  linkCodeQuery,
  moduleMillimetersAdvised,
} from "#lib/outreach/qr-templates/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { createRoute, fileResponses, jsonBody, newRouter } from "./router.ts";

const tags = ["QR codes"];
const params = z.object({ id: z.string().openapi({ example: "link_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });
const pictures = ["image/png", "image/svg+xml", "application/pdf"];

const get = createRoute({
  method: "get",
  path: "/links/{id}/qr",
  operationId: "getLinkQr",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "Get the QR code of a link",
  description:
    "Uses the design saved with the link (`qr`), or a template. The code contains the short link with `?qr=1`, which counts visits as QR scans, and keeps working when the destination changes.",
  request: { params, query: linkCodeQuery },
  responses: fileResponses(pictures, "The image."),
});

const draw = createRoute({
  method: "post",
  path: "/links/{id}/qr",
  operationId: "drawLinkQr",
  ...access("links.read"),
  tags,
  summary: "Get the QR code of a link in a custom design",
  description:
    "Uses the design in the request. Nothing is stored: to save a design with its link, update the field `qr` of the link.",
  request: { params, ...jsonBody(linkCodeBody) },
  responses: fileResponses(pictures, "The image."),
});

const archive = createRoute({
  method: "post",
  path: "/qr-archives",
  operationId: "exportQrCodes",
  ...access("links.read"),
  tags,
  summary: "Get the QR codes of several links",
  description:
    "Streams a ZIP archive with one image per link, for up to 200 links. Without a template, each link has its own design.",
  request: jsonBody(codeArchiveBody),
  responses: fileResponses(["application/zip"], "The ZIP archive."),
});

const labels = createRoute({
  method: "post",
  path: "/qr-labels",
  operationId: "printQrLabels",
  ...access("links.read"),
  tags,
  summary: "Get sheets of QR code labels",
  description: `Streams a PDF with one label per link, for up to 1,000 links: the QR code, the short link and the title. Print it at its actual size. \`X-Fuxi-Module-Millimeters\` is the width of the smallest square of its codes; below ${moduleMillimetersAdvised} mm, print with at least 600 dots per inch and test the codes.`,
  request: jsonBody(labelSheetsBody),
  responses: fileResponses(["application/pdf"], "The PDF."),
});

export const qrCodes = newRouter();

function respondWithImage({
  type,
  body,
}: {
  type: string;
  body: Uint8Array<ArrayBuffer>;
}): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Length": String(body.length),
      "X-Content-Type-Options": "nosniff",
      // Opened directly, an SVG is a document.
      "Content-Security-Policy":
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
}

qrCodes.openapi(get, async (c) => {
  const { template, ...options } = c.req.valid("query");
  const { id } = c.req.valid("param");
  return respondWithImage(await drawLinkCode(c.get("scope"), id, { template }, options));
});
qrCodes.openapi(draw, async (c) => {
  const { design, ...options } = c.req.valid("json");
  const { id } = c.req.valid("param");
  return respondWithImage(await drawLinkCode(c.get("scope"), id, { design }, options));
});
qrCodes.openapi(archive, async (c) =>
  sendFile(c, await openCodeArchive(c.get("scope"), c.req.valid("json"))),
);
qrCodes.openapi(labels, async (c) => {
  const file = await openLabelSheets(c.get("scope"), c.req.valid("json"));
  c.header("X-Fuxi-Module-Millimeters", file.moduleMillimeters.toFixed(2));
  return sendFile(c, file);
});
