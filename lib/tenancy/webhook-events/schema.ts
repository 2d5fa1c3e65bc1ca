/** What webhooks are told. */

export const webhookEventTypes = [
  "link.created",
  "link.updated",
  "link.deleted",
  "link.clicked",
  "link.clicks",
  "lead.created",
  "sale.created",
  "contact.created",
  "contact.updated",
  "contact.erased",
  "import.finished",
  "campaign.clicked",
  "campaign.finished",
  "recipient.opted_out",
  "domain.verified",
  "domain.failing",
  "domain.blocked",
  "domain.unblocked",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];
