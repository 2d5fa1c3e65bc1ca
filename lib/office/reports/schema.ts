/** Reports of links by visitors. */
import { z } from "zod";
import { abuseReasons } from "#lib/basics/abuse/schema";

const linkCharsMax = 2_000;
export const reportTextCharsMax = 2_000;
const emailCharsMax = 254;
const noteCharsMin = 3;
const noteCharsMax = 500;

export const reportForm = z.object({
  link: z.string().trim().min(1).max(linkCharsMax),
  reason: z.enum(abuseReasons),
  text: z.string().trim().max(reportTextCharsMax).default(""),
  email: z.union([z.literal(""), z.email().max(emailCharsMax)]).default(""),
});
export type ReportForm = z.output<typeof reportForm>;

const reportShape = z.object({
  reason: z.enum(abuseReasons),
  text: z.string(),
  wantsAnswer: z.boolean().describe("Whether the reporter left an email address."),
  createdAt: z.string(),
});

export const reportedLinkShape = z.object({
  linkId: z.string(),
  shortLink: z.string(),
  url: z.string(),
  host: z.string().describe("The host of the destination."),
  workspace: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  owners: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
  banned: z.boolean(),
  reports: z.number(),
  firstAt: z.string(),
  latest: z.array(reportShape).describe("The latest reports, up to 5."),
});
export type ReportedLink = z.output<typeof reportedLinkShape>;

const reportActions = ["dismiss", "ban_link", "ban_host", "ban_workspace"] as const;

export const decideReportsBody = z.strictObject({
  action: z.enum(reportActions),
  reason: z
    .enum(abuseReasons)
    .default("other")
    .describe("For a ban: shown to visitors of the link."),
  note: z
    .string()
    .trim()
    .min(noteCharsMin, "Enter a reason of at least 3 characters.")
    .max(noteCharsMax, "A reason can have up to 500 characters.")
    .describe("Recorded in the audit log. For a ban, also shown to the owners."),
});
export type DecideReports = z.output<typeof decideReportsBody>;
