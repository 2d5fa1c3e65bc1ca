import { canSign, isChat, type Webhook, type WebhookFormat } from "#lib/outreach/webhooks/schema";
import type { Locale } from "#lib/platform/messages/schema";
import { hasPeople, singleClicks, type WebhookEventType } from "#lib/tenancy/webhook-events/schema";

export interface WebhookDraft {
  format: WebhookFormat;
  name: string;
  url: string;
  /** Empty for no secret, or to keep the current one. */
  signingSecret: string;
  language: Locale;
  events: WebhookEventType[];
  domains: string[];
  folderIds: string[];
  tagIds: string[];
  chosenLinks: boolean;
  people: boolean;
  ordered: boolean;
}

export function newDraft(language: Locale): WebhookDraft {
  return {
    format: "standard",
    name: "",
    url: "",
    signingSecret: "",
    language,
    events: [],
    domains: [],
    folderIds: [],
    tagIds: [],
    chosenLinks: false,
    people: false,
    ordered: false,
  };
}

export function draftOf(webhook: Webhook): WebhookDraft {
  const { format, name, url, language, events, domains, folderIds, tagIds } = webhook;
  const { chosenLinks, people, ordered } = webhook;
  const filters = { domains, folderIds, tagIds, chosenLinks };
  return { format, name, url, signingSecret: "", language, events, ...filters, people, ordered };
}

/** Events for every single click are not offered to chats. */
export function offersEvent(format: WebhookFormat, type: WebhookEventType): boolean {
  return !(isChat(format) && singleClicks.includes(type));
}

/** The body for the API, without the fields that the format does not have. */
export function bodyOf({ signingSecret, ...draft }: WebhookDraft): Record<string, unknown> {
  const { format, events } = draft;
  return {
    ...draft,
    events: events.filter((type) => offersEvent(format, type)),
    people: draft.people && events.some(hasPeople) && !isChat(format),
    ordered: draft.ordered && !isChat(format),
    ...(canSign(format) && signingSecret.trim() !== "" ? { signingSecret } : {}),
  };
}

export function isFiltered({
  domains,
  folderIds,
  tagIds,
  chosenLinks,
}: Pick<WebhookDraft, "domains" | "folderIds" | "tagIds" | "chosenLinks">): boolean {
  return domains.length + folderIds.length + tagIds.length > 0 || chosenLinks;
}
