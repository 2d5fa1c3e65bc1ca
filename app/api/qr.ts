/** QR codes over HTTP. They stand in pages and mails, so they need no key; each address may ask so often. */
import { createRoute, z } from "@hono/zod-openapi";
import { drawQr } from "#lib/outreach/qr";
import { qrQuery } from "#lib/outreach/qr/schema";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { answers, newRouter } from "./router.ts";

/** The same question has the same answer for as long as this version of Fuxi runs. */
const keptSeconds = 86_400;

const {
  200: _json,
  401: _key,
  403: _plan,
  404: _missing,
  409: _name,
  ...failures
} = answers(200, z.never(), "");

const picture = createRoute({
  method: "get",
  path: "/qr",
  operationId: "getQrCode",
  tags: ["QR codes"],
  security: [],
  summary: "Draw a QR code",
  description:
    "Answers a picture of `size` × `size` pixels. Needs no API key, so that pages and mails can show it; browsers and caches may keep it for a day. Modules are the squares of the code. Colors that are too much alike are refused; a light code on a dark ground is drawn, and some readers cannot read it. `logo` and `hideLogo` are accepted and change nothing: no picture is ever fetched. `format=svg` answers a drawing without a grid of pixels.",
  request: { query: qrQuery },
  responses: {
    ...failures,
    200: {
      description: "The picture.",
      content: {
        "image/png": { schema: z.string().openapi({ format: "binary" }) },
        "image/svg+xml": { schema: z.string() },
      },
    },
  },
});

export const qr = newRouter();

qr.openapi(picture, async (c) => {
  const attempt = await tryLimit("qrPerAddress", addressSubject(c.env.address));
  if (!attempt.ok) {
    const message = "Too many QR codes for your address. Keep those that you have.";
    throw new AppError("rate_limit_exceeded", message, attempt.retryAfterSeconds);
  }
  const { type, body } = await drawQr(c.req.valid("query"));
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": `public, max-age=${keptSeconds}`,
      "Access-Control-Allow-Origin": "*",
      // Opened by itself, an SVG is a document.
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
});
