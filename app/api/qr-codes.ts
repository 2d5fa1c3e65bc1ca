import { drawLinkCode, openCodeArchive, openLabelSheets } from "#lib/outreach/qr-templates";
import * as fields from "#lib/outreach/qr-templates/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileResponses, idParams, Resource } from "./router.ts";

const params = idParams("link", "The id of the link.");
const pictures = ["image/png", "image/svg+xml", "application/pdf"];

export const qrCodes = new Resource("QR codes");

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
      // A browser that opens an SVG directly treats it as a document.
      "Content-Security-Policy":
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
}

qrCodes.respond("getLinkQr", "get /links/{id}/qr", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get the QR code of a link",
  description:
    "Uses the design saved with the link (`qr`), or a template. The code contains the short link with `?qr=1`, which counts visits as QR scans, and keeps working when the destination changes.",
  request: { params, query: fields.linkCodeQuery },
  responses: fileResponses(pictures, "The image."),
  run: async ({ scope, params: { id }, query: { template, ...options } }) =>
    respondWithImage(await drawLinkCode(scope, id, { template }, options)),
});

qrCodes.respond("drawLinkQr", "post /links/{id}/qr", {
  ...access("links.read"),
  summary: "Get the QR code of a link in a custom design",
  description:
    "Uses the design in the request. Nothing is stored: to save a design with its link, update the field `qr` of the link.",
  request: { params, body: fields.linkCodeBody },
  responses: fileResponses(pictures, "The image."),
  run: async ({ scope, params: { id }, body: { design, ...options } }) =>
    respondWithImage(await drawLinkCode(scope, id, { design }, options)),
});

qrCodes.respond("exportQrCodes", "post /qr-archives", {
  ...access("links.read"),
  summary: "Get the QR codes of several links",
  description:
    "Streams a ZIP archive with one image per link, for up to 200 links. Without a template, each link has its own design.",
  request: { body: fields.codeArchiveBody },
  responses: fileResponses(["application/zip"], "The ZIP archive."),
  run: async ({ c, scope, body }) => sendFile(c, await openCodeArchive(scope, body)),
});

qrCodes.respond("printQrLabels", "post /qr-labels", {
  ...access("links.read"),
  summary: "Get sheets of QR code labels",
  description: `Streams a PDF with one label per link, for up to 1,000 links: the QR code, the short link and the title. Print it at its actual size. \`X-Fuxi-Module-Millimeters\` is the width of the smallest square of its codes; below ${fields.moduleMillimetersAdvised} mm, print with at least 600 dots per inch and test the codes.`,
  request: { body: fields.labelSheetsBody },
  responses: fileResponses(["application/pdf"], "The PDF."),
  run: async ({ c, scope, body }) => {
    const file = await openLabelSheets(scope, body);
    c.header("X-Fuxi-Module-Millimeters", file.moduleMillimeters.toFixed(2));
    return sendFile(c, file);
  },
});
