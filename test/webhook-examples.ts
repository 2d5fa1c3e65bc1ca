/** The examples of api-examples.ts for webhooks. */
import type { Example } from "./api-examples.ts";

export const webhookExamples: Record<string, Example> = {
  listWebhooks: { needs: "webhooks.read" },
  getWebhook: { needs: "webhooks.read", id: "webhook" },
  createWebhook: {
    needs: "webhooks.write",
    body: () => ({ name: "CRM", url: "https://example.com/hook", events: ["link.created"] }),
  },
  subscribeWebhook: {
    needs: "webhooks.write",
    body: () => ({ targetUrl: "https://example.com/hook", event: "link.created" }),
  },
  listWebhookSamples: { needs: "webhooks.read", query: () => ({ event: "link.created" }) },
  editWebhook: { needs: "webhooks.write", id: "webhook", body: () => ({ name: "Renamed" }) },
  deleteWebhook: { needs: "webhooks.write", id: "webhook" },
  rotateWebhookSecret: { needs: "webhooks.write", id: "webhook", body: () => ({}) },
  testWebhook: {
    needs: "webhooks.write",
    id: "webhook",
    body: () => ({ type: "link.created" }),
  },
  listWebhookDeliveries: { needs: "webhooks.read", id: "webhook" },
  resendWebhookDelivery: {
    needs: "webhooks.write",
    id: "webhook",
    body: ({ event }) => ({ eventId: event }),
  },
};
