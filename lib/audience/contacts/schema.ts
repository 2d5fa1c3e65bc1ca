import { z } from "zod";
import type { ShownForm } from "#lib/audience/forms/schema";
import { pageSizeOf } from "#lib/basics/fields/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

const pageSizeMax = 100;
const searchCharsMax = 200;

const text = z.string().nullable();

const contactWechat = z.object({
  appId: z.string().describe("The AppID of the official account."),
  openid: z.string().describe("The ID of the person in this account."),
  unionid: text.describe("The ID of the person in all accounts of the same open platform account."),
  nickname: text,
  picture: text.describe("The URL of the picture at WeChat."),
  at: z.string().describe("When it was last shared."),
});
export type ContactWechat = z.output<typeof contactWechat>;

export const contactShape = z.object({
  id: z.string(),
  phone: text.describe("In the format E.164, such as +8613800138000."),
  email: text,
  name: text,
  country: text.describe("The country of the phone number, otherwise of the visitor."),
  phoneConfirmed: z.boolean().describe("The person entered a code that was sent to the phone."),
  marketing: z.boolean().describe("Whether the last answer agrees to messages."),
  wechat: z
    .array(contactWechat)
    .describe("What the person shared of their WeChat account, newest first."),
  answers: z.int().describe("How often they answered forms."),
  createdAt: z.string(),
  answeredAt: z.string().describe("Time of the last answer."),
});
export type Contact = z.output<typeof contactShape>;

export const contactAnswer = z.object({
  formId: z.string(),
  form: z.string().describe("The name of the form."),
  version: z.int().describe("The version of the form that was answered."),
  consent: z.string().describe("What the person agreed to, in the words of that version."),
  marketing: z.boolean(),
  given: z
    .array(z.object({ label: z.string(), text: z.string() }))
    .describe("Choices and checked boxes, as they were worded."),
  language: z.string().describe("The language in which the page was shown."),
  at: z.string(),
  shortLink: text.describe("Null: deleted, or not visible to you."),
  linkId: text,
});
export type ContactAnswer = z.output<typeof contactAnswer>;

const contactVisit = z.object({ at: z.string(), shortLink: z.string(), linkId: z.string() });

export const contactDetails = contactShape.extend({
  history: z.array(contactAnswer).describe("Newest first."),
  visits: z
    .array(contactVisit)
    .describe("Clicks of this person since the first answer, newest first; at most 1,000."),
});
export type ContactDetails = z.output<typeof contactDetails>;

const moment = z.iso.datetime({ offset: true }).optional();

const filterShape = z.object({
  formId: z
    .string()
    .max(searchCharsMax)
    .optional()
    .describe("Only contacts who answered this form."),
  linkId: z
    .string()
    .max(searchCharsMax)
    .optional()
    .describe("Only contacts who answered on this link."),
  person: z
    .string()
    .trim()
    .max(searchCharsMax)
    .optional()
    .describe(
      "A full phone number with its country code, a full email address, or an openid or unionid of WeChat.",
    ),
  marketing: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .describe("true: only contacts who agreed to messages. false: only those who didn’t."),
  start: moment.describe("Only contacts who answered at this time or later."),
  end: moment.describe("Only contacts who answered before this time."),
});
export type ContactFilter = z.output<typeof filterShape>;

export const listContactsQuery = filterShape
  .extend({
    startingAfter: z.string().max(64).optional().describe("Id of the last contact before."),
    pageSize: pageSizeOf(pageSizeMax),
  })
  .describe("Newest first.");
export type ListContacts = z.output<typeof listContactsQuery>;

export const exportContactsQuery = filterShape.extend({ format: recordFormat });
export type ExportContacts = z.output<typeof exportContactsQuery>;

export interface ContactFacts {
  phone: string | null;
  email: string | null;
  name: string | null;
}

export interface WechatFacts {
  appId: string;
  openid: string;
  unionid: string | null;
  nickname: string | null;
  picture: string | null;
}

export interface Submission {
  form: ShownForm;
  linkPk: number;
  facts: ContactFacts;
  given: readonly GivenAnswer[];
  marketing: boolean;
  language: string;
  country: string | null;
}

/** The label of a field, and the answer to it. */
export interface GivenAnswer {
  label: string;
  text: string;
}

export interface MarkedVisit {
  contact: string;
  workspacePk: number;
  at: Date;
  clickId: string;
  linkPk: number;
}
