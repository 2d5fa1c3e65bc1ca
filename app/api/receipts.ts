/**
 * Receipts of messages. Gateways call `POST /api/campaigns/receipts/{token}`, which is not in the API document and is mounted
 * before authentication. Programs that pass receipts on have an operation of their own.
 */
import { z } from "@hono/zod-openapi";
import { addReceipts, receiveFromGateway } from "#lib/outreach/receipts";
import {
  appliedReceiptsShape,
  receiptsBody,
  uncheckedReceipts,
} from "#lib/outreach/receipts/schema";
import { access } from "./access.ts";
import { readRaw } from "./raw-body.ts";
import { readJson, valueOrThrow } from "./read-json.ts";
import { idParams, newRouter, Resource, responses } from "./router.ts";

/** A thousand receipts. */
const callBytesMax = 512 * 1_024;

export const receipts = new Resource("Campaigns");

// Documented only: each row is checked by itself, so that an invalid one does not cost the others.
receipts.document("addReceipts", "post /campaigns/{id}/receipts", {
  ...access("campaigns.write"),
  summary: "Add delivery receipts",
  description:
    "For programs that get receipts from a gateway themselves, also for messages that Fuxi doesn’t send. Receipts can be repeated and come in any order: `delivered` is final. `opted_out` adds the phone to the opt-outs. If rows are invalid, the response is 422 and names them; all other rows are applied.",
  request: {
    params: idParams("camp", "The id of the campaign."),
    body: receiptsBody,
  },
  responses: responses(200, z.object(appliedReceiptsShape.shape), "What the receipts changed."),
});
receipts.post("/campaigns/:id/receipts", async (c) => {
  const body = valueOrThrow(uncheckedReceipts.safeParse(await readJson(c)));
  return c.json(await addReceipts(c.get("scope"), c.req.param("id"), body), 200);
});

export const gatewayCalls = newRouter();

gatewayCalls.post("/campaigns/receipts/:token", async (c) => {
  const body = (await readRaw(c.req.raw, callBytesMax)).toString();
  const { search } = new URL(c.req.url);
  const call = { search, headers: c.req.header(), body };
  const confirmation = await receiveFromGateway(c.req.param("token"), call, c.env.address);
  return confirmation ? c.json(confirmation, 200) : c.body(null, 204);
});
