/** The examples of api-examples.ts for webhooks. */
import type { Example } from "./api-examples.ts";

export const webhookExamples: Record<string, Example> = {
  listWebhooks: {},
  getWebhook: { id: "webhook" },
  createWebhook: {
    body: () => ({ name: "CRM", url: "https://example.com/hook", events: ["link.created"] }),
  },
  subscribeWebhook: {
    body: () => ({ targetUrl: "https://example.com/hook", event: "link.created" }),
  },
  listWebhookSamples: { query: () => ({ event: "link.created" }) },
  editWebhook: { id: "webhook", body: () => ({ name: "Renamed" }) },
  deleteWebhook: { id: "webhook" },
  rotateWebhookSecret: { id: "webhook", body: () => ({}) },
  testWebhook: {
    id: "webhook",
    body: () => ({ type: "link.created" }),
  },
  listWebhookDeliveries: { id: "webhook" },
  resendWebhookDelivery: {
    id: "webhook",
    body: ({ event }) => ({ eventId: event }),
  },
};
