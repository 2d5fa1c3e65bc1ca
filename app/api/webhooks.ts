import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/webhooks";
import * as fields from "#lib/outreach/webhooks/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const webhook = named("Webhook", fields.webhookShape);
const params = idParams("wh", "The id of the webhook.");
const idShape = z.object({ id: z.string() });

export const webhooks = new Resource("Webhooks");

webhooks.answer("listWebhooks", "get /webhooks", {
  ...access("webhooks.read"),
  summary: "List webhooks",
  description: "Newest first.",
  returns: [200, z.array(webhook), "The webhooks."],
  run: ({ scope }) => verbs.listWebhooks(scope),
});

// Registered before `{id}`, which would match this path too.
webhooks.answer("listWebhookSamples", "get /webhooks/samples", {
  ...access("webhooks.read"),
  summary: "List sample requests of an event",
  description: "What a webhook of the format `standard` gets, with sample data.",
  request: { query: fields.samplesQuery },
  returns: [200, z.array(named("WebhookSample", fields.sampleShape)), "Bodies of requests."],
  run: ({ scope, query }) => verbs.listSamples(scope, query.event),
});

webhooks.answer("getWebhook", "get /webhooks/{id}", {
  ...access("webhooks.read"),
  summary: "Get a webhook",
  description:
    "Returns the settings of the webhook, and how its deliveries went. The secret is left out.",
  request: { params },
  returns: [200, webhook, "The webhook."],
  run: ({ scope, params }) => verbs.getWebhook(scope, params.id),
});

webhooks.answer("createWebhook", "post /webhooks", {
  ...access("webhooks.write"),
  summary: "Create a webhook",
  description: `Each event is posted at least once, with the same \`webhook-id\` and body each time, until the receiver answers with a status of 2xx: for ${fields.keptDays} days, with growing pauses. A webhook that only fails for ${fields.keptDays} days, or answers 410, is disabled.`,
  request: { body: fields.createWebhookBody },
  returns: [201, webhook, "The webhook, with the secret that verifies signatures."],
  run: ({ scope, body }) => verbs.createWebhook(scope, body),
});

webhooks.answer("subscribeWebhook", "post /webhooks/subscriptions", {
  ...access("webhooks.write"),
  summary: "Subscribe to an event",
  description:
    "For services such as Zapier (REST hooks): creates a webhook of the format `standard` for one event, named after the server of `targetUrl`. Delete the webhook to unsubscribe.",
  request: { body: fields.subscribeBody },
  returns: [201, webhook, "The webhook. Its id ends the subscription."],
  run: ({ scope, body }) => verbs.subscribe(scope, body),
});

webhooks.answer("editWebhook", "patch /webhooks/{id}", {
  ...access("webhooks.write"),
  summary: "Update a webhook",
  description: "Omitted fields don’t change.",
  request: { params, body: fields.editWebhookBody },
  returns: [200, webhook, "The updated webhook."],
  run: ({ scope, params, body }) => verbs.editWebhook(scope, params.id, body),
});

webhooks.answer("deleteWebhook", "delete /webhooks/{id}", {
  ...access("webhooks.write"),
  summary: "Delete a webhook",
  description: "Events that are still waiting aren’t delivered.",
  request: { params },
  returns: [200, idShape, "The id of the deleted webhook."],
  run: ({ scope, params }) => verbs.deleteWebhook(scope, params.id),
});

webhooks.answer("rotateWebhookSecret", "post /webhooks/{id}/rotate", {
  ...access("webhooks.write"),
  summary: "Replace the secret of a webhook",
  description:
    "Requests are signed with both secrets for some hours, so that the receiver can change in between. Requests in the format `dub` have one signature, and are signed with the new secret at once.",
  request: { params, body: fields.rotateWebhookBody },
  returns: [200, webhook, "The webhook with its new secret."],
  run: ({ scope, params, body: { overlapHours } }) =>
    verbs.rotateSecret(scope, params.id, overlapHours),
});

webhooks.answer("testWebhook", "post /webhooks/{id}/test", {
  ...access("webhooks.write"),
  summary: "Send a test event",
  description: "Sends an event with sample data to this webhook only.",
  request: { params, body: fields.testWebhookBody },
  returns: [202, idShape, "The id of the event."],
  run: ({ scope, params, body }) => verbs.sendTestEvent(scope, params.id, body.type),
});

webhooks.answer("listWebhookDeliveries", "get /webhooks/{id}/deliveries", {
  ...access("webhooks.read"),
  summary: "List deliveries of a webhook",
  description: "Newest first, with the request and the beginning of the last response.",
  request: { params, query: fields.listDeliveriesQuery },
  returns: [200, z.array(named("WebhookDelivery", fields.deliveryShape)), "A page of deliveries."],
  run: ({ scope, params, query }) => verbs.listDeliveries(scope, params.id, query),
});

webhooks.answer("resendWebhookDelivery", "post /webhooks/{id}/resend", {
  ...access("webhooks.write"),
  summary: "Deliver an event again",
  description: "Sends it with the same id and body.",
  request: { params, body: fields.resendBody },
  returns: [202, idShape, "The id of the event."],
  run: ({ scope, params, body: { eventId } }) => verbs.resendDelivery(scope, params.id, eventId),
});
