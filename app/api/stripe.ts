/**
 * The webhook of Stripe: `POST /api/stripe/webhook`. Not in the document, and mounted before authentication: the
 * signature over the raw body and its time is the proof.
 */

import { AppError } from "#lib/platform/errors";
import { receiveEvent } from "#lib/tenancy/billing";
import { newRouter } from "./router.ts";

/** Events of Stripe have a few kilobytes. */
const eventBytesMax = 256 * 1024;

export const stripeWebhook = newRouter();

stripeWebhook.post("/stripe/webhook", async (c) => {
  const signature = c.req.header("stripe-signature");
  if (!signature) throw new AppError("bad_request", "The Stripe-Signature header is missing.");
  await receiveEvent(await readRaw(c.req.raw), signature);
  return c.json({ received: true }, 200);
});

async function readRaw(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length;
      if (bytes > eventBytesMax) {
        throw new AppError(
          "bad_request",
          `The request body is too large. The limit is ${eventBytesMax >> 10} KB.`,
        );
      }
      parts.push(read.value);
    }
  } finally {
    // The rest of a refused body is not read.
    await reader.cancel().catch(() => undefined);
  }
  return Buffer.concat(parts);
}
