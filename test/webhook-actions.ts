/** For tests of server actions: those about webhooks. */
import type { ActionExample } from "./action-examples.ts";
import { form } from "./form.ts";

const webhook = { name: "New", url: "https://example.com/hook", events: ["link.created"] };
const own = { who: "admin", names: ["webhook"] } as const;

export const webhookActions: Record<string, ActionExample> = {
  createWebhookAction: {
    who: "admin",
    given: () => [form({ webhook: JSON.stringify(webhook) })],
  },
  editWebhookAction: {
    ...own,
    given: (it) => [it.webhook, form({ webhook: JSON.stringify({ name: "Renamed" }) })],
  },
  turnWebhookAction: { ...own, given: (it) => [it.webhook, true] },
  rotateWebhookAction: { ...own, given: (it) => [it.webhook, form({ overlapHours: "24" })] },
  testWebhookAction: { ...own, given: (it) => [it.webhook, "link.created"] },
  readDeliveryAction: { ...own, given: (it) => [it.webhook, it.event] },
  resendDeliveryAction: {
    ...own,
    given: (it) => [it.webhook, it.event],
    names: ["webhook", "event"],
  },
  deleteWebhookAction: { ...own, given: (it) => [it.webhook] },
};
