/** The shapes of a link that cross a border: what a create may say, and the Link that everyone reads. */
import { z } from "zod";

const urlCharsMax = 32_000;
export const keyCharsMax = 190;
const textCharsMax = 500;
const tagsMax = 50;
const idCharsMax = 255;

/** Schemes that may stand in a Location header. */
const schemes = /^https?:\/\//i;

/** True for what a browser would follow as a web address; everything else that `new URL` accepts is refused. */
function isWebAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x20\x7f\\]/.test(text) || !schemes.test(text)) return false;
  return URL.canParse(text) && new URL(text).hostname !== "";
}

const webAddress = z
  .string()
  .trim()
  .max(urlCharsMax, `An address has at most ${urlCharsMax} characters.`)
  .refine(isWebAddress, "Give a complete address that begins with https:// or http://.");

const line = z.string().trim().max(textCharsMax);
const moment = z.iso
  .datetime({ offset: true, message: "Give a date and time such as 2026-01-31T12:00:00Z." })
  .nullish();

/** What a create may say. Only `url` is required. */
export const createLinkBody = z.object({
  url: webAddress,
  domain: z.string().trim().toLowerCase().max(253).optional(),
  key: z.string().trim().max(keyCharsMax).optional(),
  externalId: z.string().trim().min(1).max(idCharsMax).nullish(),
  tenantId: z.string().trim().min(1).max(idCharsMax).nullish(),
  title: line.nullish(),
  description: line.nullish(),
  comments: z.string().trim().max(2_000).nullish(),
  archived: z.boolean().optional(),
  trackConversion: z.boolean().optional(),
  doIndex: z.boolean().optional(),
  publicStats: z.boolean().optional(),
  tagIds: z.union([z.string(), z.array(z.string()).max(tagsMax)]).optional(),
  tagNames: z.union([line, z.array(line).max(tagsMax)]).optional(),
  startsAt: moment,
  expiresAt: moment,
  expiredUrl: webAddress.nullish(),
  redirectStatus: z
    .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
    .nullish(),
});

export type NewLink = z.output<typeof createLinkBody>;

/** What an edit may say: any part of a create. */
export const editLinkBody = createLinkBody.partial();
export type EditLink = z.output<typeof editLinkBody>;

const text = z.string().nullable();

/** The Link: every key is always there, null where it has no value. Our own keys appear only when they are set. */
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
  testVariants: z.array(z.object({ url: z.string(), percentage: z.number() })).nullable(),
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
  redirectStatus: z.number().optional(),
});

export type Link = z.infer<typeof linkShape>;

const pageSizeMax = 100;

/** How a list is asked for. */
export const listLinksQuery = z.object({
  search: z.string().trim().max(200).optional(),
  domain: z.string().trim().toLowerCase().optional(),
  tagId: z.string().optional(),
  showArchived: z.stringbool().default(false),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
  startingAfter: z.string().optional(),
  endingBefore: z.string().optional(),
});

export type ListLinks = z.output<typeof listLinksQuery>;
