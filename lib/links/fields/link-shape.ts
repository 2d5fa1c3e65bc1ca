/** The Link that the API returns. */
import { z } from "zod";
import { insideApps, rules, testVariants } from "#lib/links/link-cache/schema";
import { linkOrigin } from "#lib/links/link-rows/schema";
import { qrDesign } from "#lib/links/qr-design/schema";

const text = z.string().nullable();

/** The Link: every key is always present, null without a value. Fields beyond Dub's appear only when they are set. */
export const linkShape = z.object({
  id: z.string(),
  domain: z.string(),
  key: z.string(),
  url: z.string(),
  shortLink: z.string(),
  qrCode: z.string(),
  externalId: text,
  tenantId: text,
  programId: text,
  partnerId: text,
  trackConversion: z.boolean(),
  archived: z.boolean(),
  expiresAt: text,
  expiredUrl: text,
  disabledAt: text,
  password: text,
  proxy: z.boolean(),
  title: text,
  description: text,
  image: text,
  video: text,
  rewrite: z.boolean(),
  doIndex: z.boolean(),
  ios: text,
  android: text,
  geo: z.record(z.string(), z.string()).nullable(),
  publicStats: z.boolean(),
  tags: z.array(z.object({ id: z.string(), name: z.string(), color: z.string() })),
  folderId: text,
  comments: text,
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_term: text,
  utm_content: text,
  testVariants: testVariants.nullable(),
  testStartedAt: text,
  testCompletedAt: text,
  userId: text,
  workspaceId: z.string(),
  clicks: z.number(),
  leads: z.number(),
  conversions: z.number(),
  sales: z.number(),
  saleAmount: z.number(),
  lastClicked: text,
  createdAt: z.string(),
  updatedAt: z.string(),
  tagId: text,
  projectId: z.string(),
  webhookIds: z.array(z.string()),
  identifier: z.null(),
  linkRetentionCleanupDisabledAt: z.null(),
  startsAt: z.string().optional(),
  retiresAt: text
    .optional()
    .describe("Only when the link has its own date, or never retires: null."),
  retirementDue: z
    .string()
    .optional()
    .describe("When it retires unless it is visited, once known."),
  retiredAt: z.string().optional().describe("Visits get 410 since then."),
  redirectStatus: z.number().optional(),
  maxClicks: z.number().optional(),
  rules: rules.optional(),
  insideApps: z.object(insideApps.shape).optional(),
  forwardQuery: z.boolean().optional(),
  forwardPath: z.literal(true).optional(),
  formId: z.string().optional().describe("The form that visitors answer first."),
  qr: z.object(qrDesign.shape).optional(),
  origin: z.object(linkOrigin.shape).optional(),
});

export type Link = z.infer<typeof linkShape>;

/** The answer to `Prefer: return=minimal`. */
export const briefShape = z.object({ id: z.string(), key: z.string(), shortLink: z.string() });
export type LinkBrief = z.infer<typeof briefShape>;
