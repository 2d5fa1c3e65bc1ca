import { z } from "zod";
import { pageSizeOf } from "#lib/basics/fields/schema";
import { destinationCheckShape } from "#lib/links/destination-checks/schema";
import { sendingShape } from "#lib/outreach/sending/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;
const clean = "Remove the control characters.";

export const line = (charsMax: number) =>
  z
    .string()
    .trim()
    .min(1, "Enter a text.")
    .max(charsMax, `Use at most ${charsMax} characters.`)
    .regex(plainText, clean);

/** Carriers deliver longer messages badly, so they are refused. */
export const messagePartsMax = 10;
const columnCharsMax = 500;
const messageIdCharsMax = 100;
const pageSizeMax = 100;
/** No phone number is longer, but a cell of a file may be: its row is refused. */
const phoneCharsMax = 200;

const cell = z.union([z.string(), z.number()]).transform(String);

export const recipientBody = z.strictObject({
  messageId: line(messageIdCharsMax).describe(
    "Your ID for the message, unique in the campaign. Sending it again returns the same message.",
  ),
  phone: z.string().max(phoneCharsMax),
  columns: z
    .record(
      z.string(),
      cell.refine((value) => value.length <= columnCharsMax, {
        message: `Use at most ${columnCharsMax} characters.`,
      }),
    )
    .default({}),
});

/** Why a row has no message. `row_invalid` and `link_refused` are replaced by a more exact text. */
export const recipientProblems = {
  row_invalid: "The row is invalid.",
  phone_invalid: "phone: This isn’t a valid phone number. Add the country code, such as +44.",
  phone_duplicate: "phone: This campaign already has a message for this phone number.",
  opted_out: "phone: This phone number has opted out.",
  column_missing: "columns: {column} is empty. Add a value, or a fallback to the template.",
  column_unknown: "columns: The campaign has no column {column}. Remove it, or add the column.",
  text_long: `The message has more than ${messagePartsMax} parts. Shorten it.`,
  message_differs:
    "messageId: This ID was already used with another phone or other columns. Use another one.",
  message_personal: "messageId: Use an ID that doesn’t contain the phone or an email address.",
  destination_personal:
    "The destination would show the phone number or an email address. Remove it from the columns of the destination.",
  link_refused: "The link couldn’t be created.",
  link_deleted: "The link of this message was deleted.",
  erased: "The data of this recipient was erased.",
} as const;
export type RecipientProblem = keyof typeof recipientProblems;

export type Trial =
  | { ok: true; text: string; country: string; parts: number }
  | { ok: false; code: RecipientProblem; message: string; column: string | null };

const saved = z.object({ parts: z.number(), cost: z.string().nullable() });

export const messageShape = z.object({
  messageId: z.string(),
  status: z.literal("ready"),
  recipientId: z.string(),
  linkId: z.string(),
  shortLink: z.string(),
  text: z.string().describe("The finished message."),
  variant: z.string(),
  country: z.string().describe("The country of the phone number (ISO 3166-1)."),
  encoding: z.enum(["GSM-7", "UCS-2"]),
  parts: z.number().describe("In how many parts the message is sent."),
  cost: z.string().nullable().describe("Based on the `prices` of the campaign."),
  saved: saved.describe("What the short link saves compared with the destination URL."),
});
export const refusedShape = z.object({
  messageId: z.string().nullable(),
  status: z.literal("refused"),
  code: z.string(),
  message: z.string(),
});
export type RecipientResult = z.output<typeof messageShape> | z.output<typeof refusedShape>;
export type RecipientOutcome = { status: "ready" } | z.output<typeof refusedShape>;

export const clickedFilter = z
  .stringbool()
  .optional()
  .describe("true: only recipients who clicked. false: only those who didn’t. Without bots.");

const recipientFilter = {
  status: z
    .enum(["ready", "refused"])
    .optional()
    .describe("ready: only recipients with a message. refused: only rows that got none."),
  clicked: clickedFilter,
};

export const exportRecipientsQuery = z.object({ ...recipientFilter, format: recordFormat });
export type ExportRecipients = z.output<typeof exportRecipientsQuery>;

export const listRecipientsQuery = z.object({
  ...recipientFilter,
  pageSize: pageSizeOf(pageSizeMax),
  startingAfter: z.coerce
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0)
    .describe("The `position` of the last recipient of a page."),
});
export type ListRecipients = z.output<typeof listRecipientsQuery>;

export const recipientShape = z.object({
  position: z.number(),
  recipientId: z.string(),
  messageId: z.string(),
  status: z.enum(["ready", "refused"]),
  code: z.string().nullable().describe("Why the row was refused."),
  phone: z
    .string()
    .nullable()
    .describe("Masked without the permission `people.view`. null: refused or erased."),
  columns: z
    .record(z.string(), z.string())
    .nullable()
    .describe("Only with the permission `people.view`."),
  text: z
    .string()
    .nullable()
    .describe("The message. Only with `people.view`, and not for phones that have opted out."),
  optedOut: z.boolean(),
  country: z.string().nullable(),
  variant: z.string().nullable(),
  parts: z.number().nullable(),
  linkId: z.string().nullable(),
  shortLink: z.string().nullable().describe("null: refused, or the link was deleted."),
  clicks: z.number(),
  lastClickedAt: z.string().nullable(),
});
export type Recipient = z.output<typeof recipientShape>;

export const campaignStatusShape = z.object({
  recipients: z.number(),
  clicked: z.number().describe("Recipients who clicked, without bots."),
  parts: z.number(),
  partsSaved: z.number().describe("Parts that the short links save."),
  currency: z.string().nullable(),
  cost: z.string().nullable().describe("Of all parts that have a price."),
  costSaved: z.string().nullable(),
  refused: z.array(z.object({ code: z.string(), rows: z.number() })),
  variants: z.array(z.object({ name: z.string(), recipients: z.number(), clicked: z.number() })),
  countries: z.array(
    z.object({
      country: z.string(),
      recipients: z.number(),
      parts: z.number(),
      cost: z.string().nullable(),
    }),
  ),
  sending: sendingShape,
  destination: destinationCheckShape
    .nullable()
    .describe("null: without `checkDestination`, or while nobody has opened a link."),
});
export type CampaignStatus = z.output<typeof campaignStatusShape>;
