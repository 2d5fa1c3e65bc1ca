/**
 * The Stripe webhook, `POST /api/stripe/webhook`. Not in the API document, and mounted before authentication: the signature over
 * the raw body and its time authenticates the call.
 */

import { AppError } from "#lib/platform/errors";
import { receiveEvent } from "#lib/tenancy/billing";
import { readRaw } from "./raw-body.ts";
import { newRouter } from "./router.ts";

/** Stripe events are a few kilobytes long. */
const eventBytesMax = 256 * 1024;

export const stripeWebhook = newRouter();

stripeWebhook.post("/stripe/webhook", async (c) => {
  const signature = c.req.header("stripe-signature");
  if (!signature) throw new AppError("bad_request", "The Stripe-Signature header is missing.");
  await receiveEvent(await readRaw(c.req.raw, eventBytesMax), signature);
  return c.json({ received: true }, 200);
});
