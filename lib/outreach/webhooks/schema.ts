import { z } from "zod";
import { nameOf, pageSizeOf } from "#lib/basics/fields/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import { locales } from "#lib/platform/messages/schema";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";

const nameCharsMax = 100;
const urlCharsMax = 2_000;
export const signingSecretCharsMax = 200;
export const filterValuesMax = 100;
const deliveriesPageMax = 100;
/** Failed events are delivered again for this long. */
export const keptDays = 3;
const overlapHoursMax = 72;
const overlapHoursUsual = 24;
export const overlapChoices = [0, 1, 24, 72] as const;

/** Requests for programs, signed with our secret. */
export const programFormats = ["standard", "dub"] as const;
export type ProgramFormat = (typeof programFormats)[number];
export const chatFormats = ["slack", "wecom", "dingtalk", "feishu"] as const;
export type ChatFormat = (typeof chatFormats)[number];
export const webhookFormats = [...programFormats, ...chatFormats] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export function isChat(format: WebhookFormat): format is ChatFormat {
  return chatFormats.some((one) => one === format);
}

/** Robots of these chats can ask for a signature, and show the secret for it. */
export function canSign(format: WebhookFormat): boolean {
  return format === "dingtalk" || format === "feishu";
}

const name = nameOf(nameCharsMax);

const filterOf = (described: string) =>
  z
    .array(z.string().min(1).max(190))
    .max(filterValuesMax, `Use at most ${filterValuesMax} values.`)
    .describe(described);

const fields = {
  name,
  url: z
    .string()
    .trim()
    .max(urlCharsMax, `Use at most ${urlCharsMax} characters.`)
    .refine((text) => parseUrl(text) !== undefined, "Enter a URL that starts with https://.")
    .describe("The https URL that events are posted to."),
  format: z
    .enum(webhookFormats)
    .describe(
      "`standard`: by the Standard Webhooks specification, signed in `webhook-signature`. `dub`: as the `dub` package parses them, signed in `Dub-Signature`. `slack`, `wecom`, `dingtalk`, `feishu`: a readable message to a robot of that chat, with the events of a moment in one message.",
    ),
  events: z
    .array(z.enum(webhookEventTypes))
    .min(1, "Choose at least one event.")
    .max(webhookEventTypes.length)
    .refine((types) => new Set(types).size === types.length, "Name each event once.")
    .describe(
      "`link.clicked` is sent for each click, and `link.clicks` once for the clicks of about a second. `campaign.clicked` is sent for each click of a recipient. Chats get only `link.clicks`.",
    ),
  language: z.enum(locales).describe("The language of messages to chats."),
  domains: filterOf("Only events of links on these domains. Empty: all domains."),
  folderIds: filterOf("Only events of links in these folders. Empty: all folders."),
  tagIds: filterOf("Only events of links with one of these tags. Empty: all links."),
  chosenLinks: z.boolean().describe("Only events of links whose `webhookIds` name this webhook."),
  people: z
    .boolean()
    .describe(
      "`contact.created` and `contact.updated` have the `phone`, `email`, `name` and `wechat` of the contact, as long as the contact is not erased. Set by people with the permission `people.view`; not for chats.",
    ),
  ordered: z
    .boolean()
    .describe(
      "Delivers the events of a link in order: a failed event delays the later ones of its link until it is delivered or 3 days old.",
    ),
};

const signingSecret = z
  .string()
  .trim()
  .min(1)
  .max(signingSecretCharsMax, `Use at most ${signingSecretCharsMax} characters.`)
  .nullish()
  .describe(
    "The secret that a robot of `dingtalk` or `feishu` shows, if it asks for signatures. Not returned.",
  );

export const createWebhookBody = z.strictObject({
  ...fields,
  signingSecret,
  format: fields.format.default("standard"),
  language: fields.language.default("en"),
  domains: fields.domains.default([]),
  folderIds: fields.folderIds.default([]),
  tagIds: fields.tagIds.default([]),
  chosenLinks: fields.chosenLinks.default(false),
  people: fields.people.default(false),
  ordered: fields.ordered.default(false),
});
export type NewWebhook = z.output<typeof createWebhookBody>;

export const editWebhookBody = z
  .strictObject({
    ...fields,
    signingSecret,
    state: z
      .enum(["active", "paused"])
      .describe("A paused webhook keeps its events for up to 3 days."),
  })
  .partial();
export type EditWebhook = z.output<typeof editWebhookBody>;

export const rotateWebhookBody = z.strictObject({
  overlapHours: z
    .int()
    .min(0)
    .max(overlapHoursMax, `Use at most ${overlapHoursMax} hours.`)
    .default(overlapHoursUsual)
    .describe("How long requests are signed with both secrets."),
});

export const rotateWebhookForm = z.object({
  overlapHours: z.coerce.number().int().min(0).max(overlapHoursMax),
});

export const testWebhookBody = z.strictObject({ type: z.enum(webhookEventTypes) });

/** Automation services send this to subscribe to one event. */
export const subscribeBody = z.strictObject({
  targetUrl: fields.url,
  event: z.enum(webhookEventTypes),
});
export type NewSubscription = z.output<typeof subscribeBody>;

export const samplesQuery = z.object({
  event: z.enum(webhookEventTypes).describe("The event whose requests are shown."),
});
export const sampleShape = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type WebhookSample = z.output<typeof sampleShape>;

export const webhookShape = z.object({
  id: z.string(),
  ...fields,
  url: fields.url.describe(
    "The https URL that events are posted to. The URL of a chat is a secret: without the permission `webhooks.write`, only its beginning is returned.",
  ),
  secret: z
    .string()
    .nullable()
    .describe(
      "Verifies signatures. Null without the permission `webhooks.write`, and for chats, whose signing secret is never returned.",
    ),
  signed: z.boolean().describe("Whether requests are signed: always, except to chats."),
  state: z.string().describe("`active`, `paused` by a person, or `disabled`."),
  disabledReason: z
    .string()
    .nullable()
    .describe(
      "`failing`: it accepted no event for 3 days. `gone`: its server responded that the URL doesn’t exist.",
    ),
  failingSince: z.string().nullable(),
  waiting: z.int().describe("Events that are not delivered yet."),
  dropped: z.int().describe("Events that were not kept, because too many were waiting."),
  createdAt: z.string(),
});
export type Webhook = z.output<typeof webhookShape>;

export const resendBody = z.strictObject({
  eventId: z.string().describe("The `webhook-id` of the request."),
});

export const deliveryStates = ["waiting", "delivered", "failed"] as const;

export const listDeliveriesQuery = z.object({
  state: z.enum(deliveryStates).optional().describe("Only deliveries in this state."),
  type: z.enum(webhookEventTypes).optional().describe("Only deliveries of this event."),
  startingAfter: z.string().optional().describe("The id of the last event of the previous page."),
  pageSize: pageSizeOf(deliveriesPageMax, 50),
});
export type ListDeliveries = z.output<typeof listDeliveriesQuery>;

export const deliveryShape = z.object({
  id: z.string().describe("The id of the event, sent as `webhook-id`."),
  type: z.string(),
  state: z.string().describe("`waiting`, `delivered` or `failed`."),
  attempts: z.int(),
  createdAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  lastAttempt: z
    .object({
      at: z.string(),
      status: z.int().nullable().describe("Null: there was no response."),
      ms: z.int(),
      response: z.string().describe("The beginning of the response."),
    })
    .nullable(),
  request: z
    .string()
    .describe(
      "The body of the request. Of a chat, whose messages can have several events: for this one.",
    ),
});
export type Delivery = z.output<typeof deliveryShape>;
