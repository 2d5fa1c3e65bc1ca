/**
 * Receipts of messages. Gateways call `POST /api/campaigns/receipts/{token}`, which is not in the API document and is mounted
 * before authentication. Programs that pass receipts on have an operation of their own.
 */
import { z } from "@hono/zod-openapi";
import { addReceipts, receiveFromGateway } from "#lib/outreach/receipts";
import { appliedReceiptsShape, receiptsBody } from "#lib/outreach/receipts/schema";
import { access } from "./access.ts";
import { readRaw } from "./raw-body.ts";
import { idParams, newRouter, Resource } from "./router.ts";

/** A thousand receipts. */
const callBytesMax = 512 * 1_024;

export const receipts = new Resource("Campaigns");

receipts.answer("addReceipts", "post /campaigns/{id}/receipts", {
  ...access("campaigns.write"),
  summary: "Add delivery receipts",
  description:
    "For programs that get receipts from a gateway themselves, also for messages that Fuxi doesn’t send. Receipts can be repeated and come in any order: `delivered` is final. `opted_out` adds the phone to the opt-outs.",
  request: {
    params: idParams("camp", "The id of the campaign."),
    body: receiptsBody,
  },
  returns: [200, z.object(appliedReceiptsShape.shape), "What the receipts changed."],
  run: ({ scope, params, body }) => addReceipts(scope, params.id, body),
});

export const gatewayCalls = newRouter();

gatewayCalls.post("/campaigns/receipts/:token", async (c) => {
  const body = (await readRaw(c.req.raw, callBytesMax)).toString();
  const { search } = new URL(c.req.url);
  const call = { search, headers: c.req.header(), body };
  const confirmation = await receiveFromGateway(c.req.param("token"), call, c.env.address);
  return confirmation ? c.json(confirmation, 200) : c.body(null, 204);
});
