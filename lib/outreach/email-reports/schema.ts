import { z } from "zod";
import { locales } from "#lib/platform/messages/schema";

export const reportsMax = 20;
export const recipientsMax = 20;
/** Emails of all reports of a workspace in 24 hours. */
export const mailsPerDayMax = 200;
/** Until an address has to be confirmed. */
export const confirmDays = 7;
/** The hour in the time zone of the workspace at which reports are sent. */
export const sendHour = 7;
export const deliveriesShown = 50;
const emailCharsMax = 254;

export const reportKinds = ["workspace", "folder", "tag", "campaign"] as const;
export type ReportKind = (typeof reportKinds)[number];

export const frequencies = ["daily", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

export const deliveryStates = [
  "due",
  "sending",
  "sent",
  "unknown",
  "refused",
  "failed",
  "skipped",
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an email was not sent. */
export const skipReasons = ["late", "noClicks", "left", "hidden", "adder", "limit"] as const;
export type SkipReason = (typeof skipReasons)[number];

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(emailCharsMax)
  .pipe(z.email("Enter an email address."));

const subject = {
  kind: z.enum(reportKinds),
  subjectId: z.string().max(64).nullable(),
  frequency: z.enum(frequencies),
  locale: z.enum(locales),
};

export const reportOptions = z.strictObject(subject);
export type ReportOptions = z.output<typeof reportOptions>;

export const reportBody = z
  .strictObject({
    ...subject,
    userIds: z.array(z.string().max(64)).max(recipientsMax),
    emails: z.array(email).max(recipientsMax),
  })
  .transform((body) => ({
    ...body,
    userIds: [...new Set(body.userIds)],
    emails: [...new Set(body.emails)],
  }))
  .refine(
    ({ userIds, emails }) =>
      userIds.length + emails.length > 0 && userIds.length + emails.length <= recipientsMax,
    { path: ["recipients"], message: `Choose between 1 and ${recipientsMax} recipients.` },
  )
  .refine(({ kind, subjectId }) => (kind === "workspace") === (subjectId === null), {
    path: ["subjectId"],
    message: "Send the id of the folder, tag or campaign, and null for the whole workspace.",
  });
export type ReportBody = z.output<typeof reportBody>;

export interface ReportRecipient {
  /** Null: an address outside the workspace. */
  userId: string | null;
  name: string;
  state: "active" | "unconfirmed" | "stopped" | "left";
}

export interface EmailReport extends ReportOptions {
  id: string;
  nextAt: string;
  recipients: ReportRecipient[];
}

export interface ReportDelivery {
  id: string;
  reportId: string;
  /** Null: the recipient was removed. */
  recipient: string | null;
  startsOn: string;
  endsOn: string;
  state: DeliveryState;
  reason: SkipReason | null;
  at: string;
}
