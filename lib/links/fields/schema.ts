/** The shapes of a link that cross a border: what a create may say, and the Link that everyone reads. */
import { z } from "zod";
import { geoTargets, rules, testVariants } from "#lib/links/link-cache/schema";
import { webAddress, webOrAppAddress } from "#lib/platform/urls/schema";

export const idCharsMax = 255;

/** Of one link. */
export const tagsMax = 50;

/** Links that one call of people names. */
export const groupLinksMax = 1_000;
export const keyCharsMax = 190;

const textCharsMax = 500;

const line = z.string().trim().max(textCharsMax, `At most ${textCharsMax} characters.`);

/** One, several with commas between them, or a list. */
export const names = z.union([z.string().max(10_000), z.array(line).max(tagsMax)]).nullish();

const keyLengthMin = 3;
const passwordCharsMax = 200;
const longTextCharsMax = 2_000;
const webhooksMax = 20;
const maxClicksMax = 2_147_483_647;
/** A year. */
const reuseSecondsMax = 31_536_000;

const longText = z.string().trim().max(longTextCharsMax, `At most ${longTextCharsMax} characters.`);
const ownId = z.string().trim().min(1).max(idCharsMax, `At most ${idCharsMax} characters.`);
const moment = z.iso
  .datetime({ offset: true, message: "Give a date and time such as 2026-01-31T12:00:00Z." })
  .nullish();
const flag = z.boolean().nullish();
/** What a create may say. Only `url` is required; null is the same as left out. */
export const createLinkBody = z.object({
  url: webAddress,
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .nullish()
    .describe("A domain of the workspace; left out: its primary one."),
  key: z
    .string()
    .trim()
    .max(2 * keyCharsMax)
    .nullish()
    .describe("The path of the short link; left out: six characters are generated."),
  keyLength: z
    .int()
    .min(keyLengthMin)
    .max(keyCharsMax)
    .nullish()
    .describe("How many characters a generated key has; the usual is 6."),
  prefix: z
    .string()
    .trim()
    .max(keyCharsMax)
    .nullish()
    .describe("Stands before a generated key, with a slash between them."),
  externalId: ownId
    .nullish()
    .describe(
      "Your own name of the link, unique in the workspace. Find it later as `ext_<externalId>`.",
    ),
  tenantId: ownId.nullish().describe("Your own name of whose link it is, for lists."),
  trackConversion: flag,
  archived: flag.describe("Hidden from lists; visitors are sent on all the same."),
  publicStats: flag.describe(
    "Show how often the link was clicked on its preview, the short link with `+` behind it.",
  ),
  tagId: z.string().nullish().describe("An older name for one of `tagIds`."),
  tagIds: names.describe("Ids of tags: one, several with commas between them, or a list."),
  tagNames: names.describe("The same by name; letters may be large or small."),
  folderId: z.string().nullish().describe("A folder into which you may put links."),
  comments: longText.nullish().describe("Seen by the members of the workspace only."),
  expiresAt: moment.describe(
    "From then on visitors are sent to `expiredUrl`, or told that the link has ended. Left out: when links of the workspace end; null: never.",
  ),
  expiredUrl: webAddress.nullish(),
  password: z
    .string()
    .min(1)
    .max(passwordCharsMax)
    .nullish()
    .describe("Visitors must know it. It is never shown again; `********` stands for it."),
  proxy: flag.describe(
    "Show title, description and image of the link to social networks instead of those of its destination.",
  ),
  title: line.nullish(),
  description: longText.nullish(),
  image: webAddress.nullish(),
  video: webAddress.nullish(),
  rewrite: flag.describe(
    [
      "Show the destination in a frame under the short address.",
      "Sites that forbid frames (`X-Frame-Options`, `frame-ancestors`) stay empty there, and so do those that lead on to another host.",
      "Visitors may have to sign in again, because browsers keep the cookies of framed sites apart.",
      "Where the short address has https and the destination has not, visitors are redirected.",
    ].join(" "),
  ),
  ios: webOrAppAddress
    .nullish()
    .describe(
      "Where visitors with an iPhone or iPad go: a web address, or one that opens a known app, such as `whatsapp://`.",
    ),
  android: webOrAppAddress
    .nullish()
    .describe(
      "Where visitors with Android go: a web address, or one of a known app, such as `intent://`.",
    ),
  geo: geoTargets
    .nullish()
    .describe('Where visitors of a country go, such as `{"DE": "https://example.de"}`.'),
  doIndex: flag.describe("Let search engines keep the short link."),
  utm_source: line.nullish(),
  utm_medium: line.nullish(),
  utm_campaign: line.nullish(),
  utm_term: line.nullish(),
  utm_content: line.nullish(),
  ref: line.nullish().describe("Written into the address as the parameter `ref`."),
  testVariants: testVariants
    .nullish()
    .describe("Two to ten addresses and the percentage of visitors that each gets; together 100."),
  testStartedAt: moment,
  testCompletedAt: moment,
  webhookIds: z.array(ownId).max(webhooksMax).nullish(),
  startsAt: moment.describe("Until then visitors are told that the link is not open yet."),
  maxClicks: z
    .int()
    .min(1)
    .max(maxClicksMax)
    .nullish()
    .describe("How many visits the link may have."),
  redirectStatus: z
    .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
    .nullish()
    .describe("301, 302 (the usual one), 307 or 308."),
  rules: rules
    .nullish()
    .describe(
      "Tried in their order; the first whose conditions all hold decides where the visitor goes.",
    ),
  forwardQuery: flag.describe("Pass the parameters of the visit on to the destination."),
  forwardPath: flag.describe("Pass the rest of the path on to the destination."),
  disabled: flag.describe("Visitors are told that the link has ended, until it is enabled again."),
  reuse: z
    .union([z.boolean(), z.int().min(1).max(reuseSecondsMax)])
    .nullish()
    .describe(
      "Answer the link that this url already has: true for a day, or the seconds for which; every use extends them.",
    ),
});
export type NewLink = z.output<typeof createLinkBody>;

const bareFields = { url: true, domain: true, reuse: true } as const;
const bareLinkBody = createLinkBody.pick(bareFields).loose();
const fullLinkBody = createLinkBody.loose();

/** True for a link of which nothing is said but where it leads: most links of the API. */
export function isBare(body: Readonly<Record<string, unknown>>): boolean {
  for (const name in body) {
    if (!(name in bareFields) && body[name] !== undefined && body[name] !== null) return false;
  }
  return true;
}

/** Sound because every object can be asked for any name. */
function fieldsOf(value: object): Readonly<Record<string, unknown>> {
  return value as Readonly<Record<string, unknown>>;
}

/** Parses what a create says. Asking forty fields of a link that has one took a tenth of the time of a create. */
export function parseNewLink(value: unknown): z.ZodSafeParseResult<NewLink> {
  const bare = typeof value === "object" && value !== null && isBare(fieldsOf(value));
  return (bare ? bareLinkBody : fullLinkBody).safeParse(value);
}

/** What an edit may say: any part of a create but what only makes sense while a link is made. null clears. */
export const editLinkBody = createLinkBody
  .omit({ keyLength: true, prefix: true, reuse: true })
  .partial();
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
  redirectStatus: z.number().optional(),
  maxClicks: z.number().optional(),
  rules: rules.optional(),
  forwardQuery: z.literal(true).optional(),
  forwardPath: z.literal(true).optional(),
});

export type Link = z.infer<typeof linkShape>;

/** What `Prefer: return=minimal` answers of a link. */
export const briefShape = z.object({ id: z.string(), key: z.string(), shortLink: z.string() });
export type LinkBrief = z.infer<typeof briefShape>;
