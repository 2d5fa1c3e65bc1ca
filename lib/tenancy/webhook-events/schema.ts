/** The events of webhooks. `outreach/webhooks` has their contents. */
import { namesIn } from "#lib/basics/variants/schema";

export const eventGroups = ["links", "clicks", "conversions", "work", "domains"] as const;

interface EventTraits {
  group: (typeof eventGroups)[number];
  isSingleClick?: true;
  /** Contains what a contact entered, for webhooks that get it. */
  hasPeople?: true;
}

const webhookEvents = {
  "link.created": { group: "links" },
  "link.updated": { group: "links" },
  "link.deleted": { group: "links" },
  "link.missed": { group: "links" },
  "destination.broken": { group: "links" },
  "link.clicked": { group: "clicks", isSingleClick: true },
  "link.clicks": { group: "clicks" },
  "clicks.rising": { group: "clicks" },
  "clicks.falling": { group: "clicks" },
  "lead.created": { group: "conversions" },
  "sale.created": { group: "conversions" },
  "contact.created": { group: "conversions", hasPeople: true },
  "contact.updated": { group: "conversions", hasPeople: true },
  "contact.erased": { group: "conversions" },
  "import.finished": { group: "work" },
  "campaign.clicked": { group: "clicks", isSingleClick: true },
  "campaign.finished": { group: "work" },
  "recipient.opted_out": { group: "work" },
  "quota.near": { group: "work" },
  "domain.verified": { group: "domains" },
  "domain.failing": { group: "domains" },
  "domain.blocked": { group: "domains" },
  "domain.unblocked": { group: "domains" },
  "domain.silent": { group: "domains" },
} as const satisfies Record<string, EventTraits>;
export type WebhookEventType = keyof typeof webhookEvents;
export const webhookEventTypes = namesIn(webhookEvents);

const traits: Readonly<Record<WebhookEventType, EventTraits>> = webhookEvents;

export const singleClicks = webhookEventTypes.filter((type) => traits[type].isSingleClick);

/** Events per click come last, because few webhooks need them. */
export function listEvents(group: (typeof eventGroups)[number]): WebhookEventType[] {
  const own = webhookEventTypes.filter((type) => traits[type].group === group);
  const isSingle = (type: WebhookEventType) => singleClicks.includes(type);
  return [...own.filter((type) => !isSingle(type)), ...own.filter(isSingle)];
}

export function findEventType(type: string): WebhookEventType | undefined {
  return webhookEventTypes.find((one) => one === type);
}

export function hasPeople(type: string): boolean {
  const known = findEventType(type);
  return known !== undefined && traits[known].hasPeople === true;
}
