import { canSign, isChat, type Webhook, type WebhookFormat } from "#lib/outreach/webhooks/schema";
import type { Locale } from "#lib/platform/messages/schema";
import { hasPeople, singleClicks, type WebhookEventType } from "#lib/tenancy/webhook-events/schema";

export interface WebhookDraft {
  format: WebhookFormat;
  name: string;
  url: string;
  /** Empty: none, or the same as before. */
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

/** Each click by itself is for programs only. */
export function offersEvent(format: WebhookFormat, type: WebhookEventType): boolean {
  return !(isChat(format) && singleClicks.includes(type));
}

/** The body of the API. What a format does not have is left out. */
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
