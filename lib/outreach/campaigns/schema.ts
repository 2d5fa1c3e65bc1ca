import { z } from "zod";
import { pageSizeOf } from "#lib/basics/fields/schema";
import { createLinkBody } from "#lib/links/fields/schema";
import { countryCode } from "#lib/outreach/opt-outs/schema";
import { pricesShape } from "#lib/outreach/segments/schema";
import { problemsOf, type WholeCampaign } from "./problems.ts";
import { clickedFilter, line } from "./recipient-schema.ts";

export {
  type CampaignStatus,
  campaignStatusShape,
  type ExportRecipients,
  exportRecipientsQuery,
  type ListRecipients,
  listRecipientsQuery,
  messagePartsMax,
  messageShape,
  type Recipient,
  type RecipientOutcome,
  type RecipientProblem,
  type RecipientResult,
  recipientBody,
  recipientProblems,
  recipientShape,
  refusedShape,
  type Trial,
} from "./recipient-schema.ts";

import { recordFormat } from "#lib/platform/downloads/schema";

const nameCharsMax = 100;
const textCharsMax = 2_000;
const columnsMax = 50;
const variantsMax = 5;
export const recipientsMax = 10_000;
const linkDaysMax = 3_650;
const peopleDaysMax = 1_095;
const peopleDaysDefault = 180;
const pageSizeMax = 100;
const senderCharsMax = 20;
const columnNameCharsMax = 50;
/** No phone number is longer, but a cell of a file may be: its row is refused. */
const phoneCharsMax = 200;

const text = z
  .string()
  .trim()
  .min(1, "Enter a text.")
  .max(textCharsMax, `Use at most ${textCharsMax} characters.`)
  .regex(/^[^\p{Cs}\0]*$/u, "Remove the control characters.");

const kinds = ["marketing", "service"] as const;
/** The name of the message of a campaign without variants. */
export const onlyVariant = "A";

const column = z.strictObject({
  name: line(columnNameCharsMax).regex(/^[^{}|]*$/, "Remove {, } and | from the name."),
  personal: z
    .boolean()
    .default(true)
    .describe(
      "Whether its values say something about a person. Only others may be in `destination`.",
    ),
});

const variant = z.strictObject({
  name: line(columnNameCharsMax),
  template: text,
  percentage: z.number().min(0).max(100),
});
export type Variant = z.output<typeof variant>;

const { domain, folderId, tagIds, utm_source, utm_medium, utm_campaign, utm_term, utm_content } =
  createLinkBody.shape;

const linkFields = z.strictObject({
  domain,
  folderId,
  tagIds,
  utm_source,
  utm_medium,
  utm_campaign,
  utm_term,
  utm_content,
});

const fields = {
  name: line(nameCharsMax),
  kind: z
    .enum(kinds)
    .describe(
      "marketing: `senderName`, `consentSource` and `consentOn` are required, and `optOutText` unless every message has `{optout}`.",
    ),
  consentSource: line(200)
    .nullish()
    .describe("Where the recipients agreed to get messages, such as `Checkout form`."),
  consentOn: z.iso.date("Use a date such as 2026-01-31.").nullish().describe("When they agreed."),
  senderName: line(senderCharsMax)
    .nullish()
    .describe("The signature of messages to mainland China, without 【】."),
  optOutText: line(100)
    .nullish()
    .describe(
      "The end of marketing messages, such as `Reply STOP to opt out`. Messages to mainland China end with 拒收请回复R instead.",
    ),
  template: text
    .optional()
    .describe(
      "The message. `{link}` is the short link, `{optout}` a page where the recipient opts out, `{name}` a column, `{name|customer}` a column with a fallback, `{{` a brace. Use either `template` or `variants`.",
    ),
  variants: z
    .array(variant)
    .min(2)
    .max(variantsMax)
    .optional()
    .describe("Messages for an A/B test. The percentages add up to 100."),
  destination: text.describe(
    "The destination URL. After its host it may have `{recipientId}`, which is opaque, and columns that aren’t personal.",
  ),
  ...linkFields.shape,
  linkDays: z
    .int()
    .min(1)
    .max(linkDaysMax)
    .nullish()
    .describe("Days until the links expire. Omitted or null: as the workspace."),
  linkScheme: z.boolean().default(true).describe("Write links with `https://`."),
  checkDestination: z
    .boolean()
    .default(false)
    .describe(
      "Check about once a day whether the destination works: the page of one link that was opened lately stands for all.",
    ),
  defaultCountry: countryCode.describe(
    "The country of phone numbers without a country code (ISO 3166-1).",
  ),
  columns: z.array(column).max(columnsMax).default([]),
  prices: pricesShape.nullish().describe("What a part of a message costs you."),
  personalDataDays: z
    .int()
    .min(1)
    .max(peopleDaysMax)
    .default(peopleDaysDefault)
    .describe("Phones and columns are erased this many days after the last recipients were added."),
};

export const createCampaignBody = z.strictObject(fields);
export type NewCampaign = z.output<typeof createCampaignBody>;

/** Says what does not fit together along with what is wrong with single fields, so that one answer has all problems. */
export const createCampaignRequest = createCampaignBody.superRefine(
  (body, { addIssue }) => {
    for (const issue of wholeIssues(body, null)) addIssue(issue);
  },
  { when: isObject },
);

const editCampaignBody = z
  .strictObject({
    ...fields,
    linkScheme: z.boolean(),
    checkDestination: z.boolean(),
    columns: z.array(column).max(columnsMax),
    personalDataDays: z.int().min(1).max(peopleDaysMax),
  })
  .partial();
export type EditCampaign = z.output<typeof editCampaignBody>;

/** Omitted fields do not change, so nothing is said about them here. */
export const editCampaignRequest = editCampaignBody.superRefine(
  (body, { addIssue }) => {
    for (const issue of wholeIssues(body, undefined)) addIssue(issue);
  },
  { when: isObject },
);

/** Other checks of an object stop where one of its fields is invalid; this one goes on. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}

function wholeIssues(body: unknown, omitted: null | undefined) {
  return problemsOf(readableOf(body, omitted)).map((problem) => {
    return { code: "custom" as const, ...problem };
  });
}

/** The fields whose values are valid by themselves. */
function readableOf(body: unknown, omitted: null | undefined): WholeCampaign {
  const given = new Map<string, unknown>(Object.entries(Object(body)));
  const read = <Schema extends z.ZodType>(name: string, schema: Schema) =>
    given.get(name) === undefined ? omitted : schema.safeParse(given.get(name)).data;
  const template = read("template", text);
  const variants = read("variants", z.array(variant));
  const isEmpty = template === null && variants === null;
  // Only with the messages and the columns is it known whether every message has {optout}.
  const hasMessages = given.has("columns") && (given.has("template") || given.has("variants"));
  return {
    kind: read("kind", fields.kind) ?? undefined,
    senderName: read("senderName", fields.senderName),
    optOutText: omitted === null || hasMessages ? read("optOutText", fields.optOutText) : undefined,
    consentSource: read("consentSource", fields.consentSource),
    consentOn: read("consentOn", fields.consentOn),
    columns: read("columns", z.array(column)) ?? undefined,
    variants: template
      ? [{ name: onlyVariant, template, percentage: 100 }]
      : isEmpty
        ? []
        : (variants ?? undefined),
    destination: read("destination", text) ?? undefined,
  };
}

const warning = z.object({ code: z.string(), message: z.string() });

export const campaignShape = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(kinds),
  consentSource: z.string().nullable(),
  consentOn: z.string().nullable(),
  senderName: z.string().nullable(),
  optOutText: z.string().nullable(),
  variants: z.array(z.object({ name: z.string(), template: z.string(), percentage: z.number() })),
  destination: z.string(),
  link: z.record(z.string(), z.unknown()).describe("Other fields of its links."),
  linkDays: z.number().nullable(),
  linkScheme: z.boolean(),
  checkDestination: z.boolean(),
  defaultCountry: z.string(),
  columns: z.array(z.object({ name: z.string(), personal: z.boolean() })),
  prices: pricesShape.nullable(),
  personalDataDays: z.number(),
  recipients: z.number().describe("Recipients with a message."),
  refused: z.number().describe("Refused rows."),
  createdAt: z.string(),
  lastAddedAt: z.string().nullable(),
  erasedAt: z.string().nullable().describe("When phones and columns were erased."),
  warnings: z.array(warning).describe("Possible problems with the messages."),
});
export type Campaign = z.output<typeof campaignShape>;

export const listCampaignsQuery = z.object({
  pageSize: pageSizeOf(pageSizeMax),
  startingAfter: z.string().max(64).optional().describe("The id of the last campaign of a page."),
});
export type ListCampaigns = z.output<typeof listCampaignsQuery>;

const messageColumns = [
  "messageId",
  "phone",
  "text",
  "country",
  "parts",
  "variant",
  "shortLink",
  "code",
] as const;
export type MessageColumn = (typeof messageColumns)[number];
const messageColumnsDefault = messageColumns.filter((name) => name !== "code").join();
const columnsProblem = `Use different columns of ${messageColumns.join(", ")}.`;

export const exportMessagesQuery = z.object({
  format: recordFormat,
  clicked: clickedFilter,
  columns: z
    .string()
    .max(messageColumns.join().length)
    .default(messageColumnsDefault)
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(messageColumns, columnsProblem)))
    .refine((names) => new Set(names).size === names.length, { message: columnsProblem })
    .describe(
      `The columns in their order, separated by commas: ${messageColumns.join(", ")}. \`code\` is the slug of the link, for templates of gateways. Defaults to all but \`code\`.`,
    ),
});
export type ExportMessages = z.output<typeof exportMessagesQuery>;

export const erasePersonBody = z.strictObject({
  phone: z.string().max(phoneCharsMax),
  country: countryCode
    .optional()
    .describe("The country of a phone number without a country code (ISO 3166-1)."),
});
export type ErasePerson = z.output<typeof erasePersonBody>;

export const erasedPersonShape = z.object({
  recipients: z.number().describe("Deleted recipients."),
  contacts: z.number().describe("Deleted contacts, who answered forms with this phone."),
  links: z.number().describe("Deleted links."),
});
export type ErasedPerson = z.output<typeof erasedPersonShape>;
