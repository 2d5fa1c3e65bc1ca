import type { WebhookEventType } from "#lib/tenancy/webhook-events/schema";

/** The messages of events: a message key has no dot. */
export const eventKeys = {
  "link.created": "linkCreated",
  "link.updated": "linkUpdated",
  "link.deleted": "linkDeleted",
  "link.clicked": "linkClicked",
  "link.clicks": "linkClicks",
  "lead.created": "leadCreated",
  "sale.created": "saleCreated",
  "contact.created": "contactCreated",
  "contact.updated": "contactUpdated",
  "contact.erased": "contactErased",
  "import.finished": "importFinished",
  "campaign.clicked": "campaignClicked",
  "campaign.finished": "campaignFinished",
  "recipient.opted_out": "recipientOptedOut",
  "domain.verified": "domainVerified",
  "domain.failing": "domainFailing",
  "domain.blocked": "domainBlocked",
  "domain.unblocked": "domainUnblocked",
} as const satisfies Record<WebhookEventType, string>;

/** The message of an event that another version may have added. */
export function eventKeyOf(type: string): (typeof eventKeys)[WebhookEventType] | undefined {
  return new Map(Object.entries(eventKeys)).get(type);
}

export const eventGroups = {
  links: ["link.created", "link.updated", "link.deleted"],
  clicks: ["link.clicks", "link.clicked", "campaign.clicked"],
  conversions: [
    "lead.created",
    "sale.created",
    "contact.created",
    "contact.updated",
    "contact.erased",
  ],
  work: ["import.finished", "campaign.finished", "recipient.opted_out"],
  domains: ["domain.verified", "domain.failing", "domain.blocked", "domain.unblocked"],
} as const satisfies Record<string, readonly WebhookEventType[]>;
export const groupNames = ["links", "clicks", "conversions", "work", "domains"] as const;
