/** QR codes over HTTP. They are embedded in pages and emails, so they need no key. Each IP address has a rate limit. */
import { z } from "@hono/zod-openapi";
import { drawQr } from "#lib/outreach/qr";
import { type QrQuery, qrQuery } from "#lib/outreach/qr/schema";
import { drawSignedCode } from "#lib/outreach/qr-templates";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { access } from "./access.ts";
import { Resource, responses } from "./router.ts";

/** The same request has the same response for as long as this version of Fuxi runs. */
const keptSeconds = 86_400;
const keptDesignSeconds = 300;

const {
  200: _json,
  401: _key,
  403: _plan,
  404: _missing,
  409: _name,
  ...failures
} = responses(200, z.never(), "");

export const qr = new Resource("QR codes");

async function drawSaved({ design, url, format, size }: QrQuery) {
  return design === undefined ? undefined : await drawSignedCode(design, url, { format, size });
}

qr.respond("getQrCode", "get /qr", {
  ...access("nobody"),
  summary: "Get a QR code for any URL",
  description:
    "Returns an image of `size` × `size` pixels. No API key is needed, so you can use it in web pages and emails; it can be cached for a day. A module is one square of the code. Colors with too little contrast are rejected. Light codes on a dark background are accepted, but some scanners can’t read them. `logo` and `hideLogo` are accepted but ignored. Use `format=svg` for print. The `qrCode` of a link with a saved design has `design`, which shows that design; then only `size` and `format` count, and the image can be cached for five minutes.",
  request: { query: qrQuery },
  responses: {
    ...failures,
    200: {
      description: "The image.",
      content: {
        "image/png": { schema: z.string().openapi({ format: "binary" }) },
        "image/svg+xml": { schema: z.string() },
      },
    },
  },
  run: async ({ c, query: asked }) => {
    const attempt = await tryLimit("qrPerAddress", addressSubject(c.env.address));
    if (!attempt.ok) {
      const message = "Too many QR codes requested from your IP address. Wait, then try again.";
      throw new AppError("rate_limit_exceeded", message, attempt);
    }
    const { type, body } = (await drawSaved(asked)) ?? (await drawQr(asked));
    const seconds = asked.design === undefined ? keptSeconds : keptDesignSeconds;
    return new Response(body, {
      headers: {
        "Content-Type": type,
        "Content-Length": String(Buffer.byteLength(body)),
        "Cache-Control": `public, max-age=${seconds}`,
        "Access-Control-Allow-Origin": "*",
        // A browser that opens an SVG directly treats it as a document.
        "Content-Security-Policy": "default-src 'none'; img-src data:; frame-ancestors 'none'",
      },
    });
  },
});
