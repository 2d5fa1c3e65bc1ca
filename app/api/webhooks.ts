/** Webhooks over the API. */
import { z } from "@hono/zod-openapi";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getWebhook,
  listDeliveries,
  listSamples,
  listWebhooks,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  subscribe,
} from "#lib/outreach/webhooks";
import {
  createWebhookBody,
  deliveryShape,
  editWebhookBody,
  keptDays,
  listDeliveriesQuery,
  resendBody,
  rotateWebhookBody,
  sampleShape,
  samplesQuery,
  subscribeBody,
  testWebhookBody,
  webhookShape,
} from "#lib/outreach/webhooks/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Webhooks"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const webhook = z.object(webhookShape.shape).openapi("Webhook");
const params = z.object({ id: z.string().openapi({ example: "wh_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });
const idShape = z.object({ id: z.string() });

const list = createRoute({
  method: "get",
  path: "/webhooks",
  operationId: "listWebhooks",
  ...access("webhooks.read"),
  tags,
  summary: "List webhooks",
  description: "Newest first.",
  responses: responses(200, z.array(webhook), "The webhooks."),
});

const get = createRoute({
  method: "get",
  path: "/webhooks/{id}",
  operationId: "getWebhook",
  ...access("webhooks.read"),
  tags,
  summary: "Get a webhook",
  request: { params },
  responses: responses(200, webhook, "The webhook."),
});

const create = createRoute({
  method: "post",
  path: "/webhooks",
  operationId: "createWebhook",
  ...access("webhooks.write"),
  tags,
  summary: "Create a webhook",
  description: `Each event is posted at least once, with the same \`webhook-id\` and body each time, until the receiver answers with a status of 2xx: for ${keptDays} days, with growing pauses. A webhook that only fails for ${keptDays} days, or answers 410, is disabled.`,
  request: jsonBody(createWebhookBody),
  responses: responses(201, webhook, "The webhook, with the secret that verifies signatures."),
});

const subscription = createRoute({
  method: "post",
  path: "/webhooks/subscriptions",
  operationId: "subscribeWebhook",
  ...access("webhooks.write"),
  tags,
  summary: "Subscribe to an event",
  description:
    "For services such as Zapier (REST hooks): creates a webhook of the format `standard` for one event, named after the server of `targetUrl`. Delete the webhook to unsubscribe.",
  request: jsonBody(subscribeBody),
  responses: responses(201, webhook, "The webhook. Its id ends the subscription."),
});

const samples = createRoute({
  method: "get",
  path: "/webhooks/samples",
  operationId: "listWebhookSamples",
  ...access("webhooks.read"),
  tags,
  summary: "List sample requests of an event",
  description: "What a webhook of the format `standard` gets, with sample data.",
  request: { query: samplesQuery },
  responses: responses(
    200,
    z.array(z.object(sampleShape.shape).openapi("WebhookSample")),
    "Bodies of requests.",
  ),
});

const edit = createRoute({
  method: "patch",
  path: "/webhooks/{id}",
  operationId: "editWebhook",
  ...access("webhooks.write"),
  tags,
  summary: "Update a webhook",
  description: "Omitted fields don’t change.",
  request: { params, ...jsonBody(editWebhookBody) },
  responses: responses(200, webhook, "The updated webhook."),
});

const remove = createRoute({
  method: "delete",
  path: "/webhooks/{id}",
  operationId: "deleteWebhook",
  ...access("webhooks.write"),
  tags,
  summary: "Delete a webhook",
  description: "Its waiting events are not delivered.",
  request: { params },
  responses: responses(200, idShape, "The id of the deleted webhook."),
});

const rotate = createRoute({
  method: "post",
  path: "/webhooks/{id}/rotate",
  operationId: "rotateWebhookSecret",
  ...access("webhooks.write"),
  tags,
  summary: "Replace the secret of a webhook",
  description:
    "Requests are signed with both secrets for some hours, so that the receiver can change in between. Requests in the format `dub` have one signature, and are signed with the new secret at once.",
  request: { params, ...jsonBody(rotateWebhookBody) },
  responses: responses(200, webhook, "The webhook with its new secret."),
});

const test = createRoute({
  method: "post",
  path: "/webhooks/{id}/test",
  operationId: "testWebhook",
  ...access("webhooks.write"),
  tags,
  summary: "Send a test event",
  description: "With sample data, to this webhook only.",
  request: { params, ...jsonBody(testWebhookBody) },
  responses: responses(202, idShape, "The id of the event."),
});

const deliveries = createRoute({
  method: "get",
  path: "/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  ...access("webhooks.read"),
  tags,
  summary: "List deliveries of a webhook",
  description: "Newest first: requests, and the beginning of the last response.",
  request: { params, query: listDeliveriesQuery },
  responses: responses(
    200,
    z.array(z.object(deliveryShape.shape).openapi("WebhookDelivery")),
    "A page of deliveries.",
  ),
});

const resend = createRoute({
  method: "post",
  path: "/webhooks/{id}/resend",
  operationId: "resendWebhookDelivery",
  ...access("webhooks.write"),
  tags,
  summary: "Deliver an event again",
  description: "With the same id and body.",
  request: { params, ...jsonBody(resendBody) },
  responses: responses(202, idShape, "The id of the event."),
});

export const webhooks = newRouter();

webhooks.openapi(list, async (c) => c.json(await listWebhooks(c.get("scope")), 200));
// Before the one with an id in its place.
webhooks.openapi(samples, (c) =>
  c.json(listSamples(c.get("scope"), c.req.valid("query").event), 200),
);
webhooks.openapi(get, async (c) =>
  c.json(await getWebhook(c.get("scope"), c.req.valid("param").id), 200),
);
webhooks.openapi(create, async (c) =>
  c.json(await createWebhook(c.get("scope"), c.req.valid("json")), 201),
);
webhooks.openapi(subscription, async (c) =>
  c.json(await subscribe(c.get("scope"), c.req.valid("json")), 201),
);
webhooks.openapi(edit, async (c) =>
  c.json(await editWebhook(c.get("scope"), c.req.valid("param").id, c.req.valid("json")), 200),
);
webhooks.openapi(remove, async (c) =>
  c.json(await deleteWebhook(c.get("scope"), c.req.valid("param").id), 200),
);
webhooks.openapi(rotate, async (c) => {
  const { overlapHours } = c.req.valid("json");
  return c.json(await rotateSecret(c.get("scope"), c.req.valid("param").id, overlapHours), 200);
});
webhooks.openapi(test, async (c) =>
  c.json(
    await sendTestEvent(c.get("scope"), c.req.valid("param").id, c.req.valid("json").type),
    202,
  ),
);
webhooks.openapi(deliveries, async (c) =>
  c.json(await listDeliveries(c.get("scope"), c.req.valid("param").id, c.req.valid("query")), 200),
);
webhooks.openapi(resend, async (c) => {
  const { eventId } = c.req.valid("json");
  return c.json(await resendDelivery(c.get("scope"), c.req.valid("param").id, eventId), 202);
});
