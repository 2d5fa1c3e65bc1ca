import { z } from "zod";
import { aliasDiffers, moment, webOrAppUrl, webUrl } from "#lib/basics/fields/schema";
import { geoTargets, insideApps, rules, testVariants } from "#lib/links/link-cache/schema";
import type { BodyName } from "#lib/links/link-columns/schema";
import { linkOrigin, retirementDate } from "#lib/links/link-rows/schema";
import { findDesignWarnings, qrDesign, tooAlike } from "#lib/links/qr-design/schema";
import { valueCharsMax as utmCharsMax } from "#lib/links/utm/schema";

export { briefShape, type Link, type LinkBrief, linkShape } from "./link-shape.ts";

export const idCharsMax = 255;
export const tagsMax = 50;

export const groupLinksMax = 1_000;
export const keyCharsMax = 190;
const textCharsMax = 500;
const line = z.string().trim().max(textCharsMax, `Use at most ${textCharsMax} characters.`);

/** One value, several separated by commas, or a list. */
export const names = z.union([z.string().max(10_000), z.array(line).max(tagsMax)]).nullish();

export function listOf(value: z.output<typeof names>): string[] {
  if (!value) return [];
  const items = Array.isArray(value) ? value : value.split(",");
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

const keyLengthMin = 3;
const passwordCharsMax = 200;
const longTextCharsMax = 2_000;
const webhooksMax = 20;
const maxClicksMax = 2_147_483_647;
const reuseSecondsMax = 31_536_000;

const longText = z
  .string()
  .trim()
  .max(longTextCharsMax, `Use at most ${longTextCharsMax} characters.`);
const utmValue = z
  .string()
  .trim()
  .max(utmCharsMax, `Use at most ${utmCharsMax} characters.`)
  .nullish();
const ownId = z.string().trim().min(1).max(idCharsMax, `Use at most ${idCharsMax} characters.`);
const formIdCharsMax = 64;
const optionalMoment = moment.nullish();
const flag = z.boolean().nullish();
/** Only `url` is required. Null is the same as omitted. */
export const createLinkBody = z.object({
  url: webUrl,
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .nullish()
    .describe("A domain of the workspace. Defaults to its primary domain."),
  key: z
    .string()
    .trim()
    .max(2 * keyCharsMax)
    .nullish()
    .describe("The slug: the path of the short link. Generated if omitted."),
  slug: z
    .string()
    .trim()
    .max(2 * keyCharsMax)
    .nullish()
    .describe("Alias of `key`."),
  keyLength: z
    .int()
    .min(keyLengthMin)
    .max(keyCharsMax)
    .nullish()
    .describe("Length of a generated key. Defaults to 6."),
  prefix: z
    .string()
    .trim()
    .max(keyCharsMax)
    .nullish()
    .describe("Prefix for a generated key, followed by a slash."),
  externalId: ownId
    .nullish()
    .describe(
      "Your own id for the link, unique in the workspace. Use `ext_<externalId>` in place of the link id.",
    ),
  tenantId: ownId
    .nullish()
    .describe("Your own id for the customer the link belongs to. Use it to filter links."),
  trackConversion: flag.describe("Add the id of each click to the destination, as `dub_id`."),
  archived: flag.describe("Hidden from lists. The link keeps working."),
  publicStats: flag.describe(
    "Show the number of clicks on the link preview (the short link followed by `+`).",
  ),
  tagId: z.string().nullish().describe("Alias of `tagIds` for one tag."),
  tagIds: names.describe("Tag ids: one, several separated by commas, or an array."),
  tagNames: names.describe("Tag names, in the same format. Case is ignored."),
  folderId: z.string().nullish().describe("A folder where you can add links."),
  comments: longText.nullish().describe("Only visible to workspace members."),
  expiresAt: optionalMoment.describe(
    "Expiration. After that, visitors are redirected to `expiredUrl` or see that the link has expired. If omitted, the default of the workspace applies; null: never.",
  ),
  expiredUrl: webUrl.nullish(),
  retiresAt: retirementDate.nullish(),
  password: z
    .string()
    .min(1)
    .max(passwordCharsMax)
    .nullish()
    .describe("Visitors have to enter it. Responses contain `********` instead."),
  proxy: flag.describe(
    "Custom social preview: use the title, description and image of the link instead of those of its destination.",
  ),
  title: line.nullish(),
  description: longText.nullish(),
  image: webUrl.nullish(),
  video: webUrl.nullish(),
  rewrite: flag.describe(
    [
      "Link cloaking: show the destination in a frame under the short link.",
      "Sites that forbid framing (`X-Frame-Options`, `frame-ancestors`) or redirect to another host stay blank.",
      "Visitors may have to sign in again, because browsers isolate the cookies of framed sites.",
      "If the short link uses https and the destination doesn’t, visitors are redirected.",
    ].join(" "),
  ),
  ios: webOrAppUrl
    .nullish()
    .describe(
      "Destination for iPhone and iPad: a URL, or the URL of a supported app such as `whatsapp://`.",
    ),
  android: webOrAppUrl
    .nullish()
    .describe("Destination for Android: a URL, or the URL of a supported app such as `intent://`."),
  geo: geoTargets
    .nullish()
    .describe('Destinations by country, such as `{"DE": "https://example.de"}`.'),
  doIndex: flag.describe("Allow search engines to index the short link."),
  utm_source: utmValue,
  utm_medium: utmValue,
  utm_campaign: utmValue,
  utm_term: utmValue,
  utm_content: utmValue,
  ref: line.nullish().describe("Added to the destination URL as the query parameter `ref`."),
  testVariants: testVariants
    .nullish()
    .describe(
      "A/B test: two to ten destination URLs with the percentage of visitors for each. The percentages add up to 100. When a later call changes the URL or the UTM fields of the link, its variants follow: the first one if it is the same as `url`, all of them in the UTM parameters.",
    ),
  testStartedAt: optionalMoment,
  testCompletedAt: optionalMoment,
  webhookIds: z.array(ownId).max(webhooksMax).nullish(),
  startsAt: optionalMoment.describe(
    "Start. Until then, visitors see that the link isn’t active yet.",
  ),
  maxClicks: z
    .int()
    .min(1)
    .max(maxClicksMax)
    .nullish()
    .describe("Click limit. The link expires after this many clicks."),
  redirectStatus: z
    .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
    .nullish()
    .describe("Redirect type: 301, 302 (default), 307 or 308."),
  rules: rules
    .nullish()
    .describe("Destinations with conditions. The first rule whose conditions all match applies."),
  insideApps: insideApps.nullish().describe("What visitors get inside apps such as WeChat."),
  forwardQuery: flag.describe(
    "Add the query parameters of each visit to the destination URL. A parameter of the visit replaces one of the destination with the same name. Null or omitted: as the workspace.",
  ),
  forwardPath: flag.describe("Add everything after the key to the path of the destination URL."),
  disabled: flag.describe(
    "Turn off the link. Visitors see that it has expired until it’s turned on again.",
  ),
  formId: z
    .string()
    .max(formIdCharsMax)
    .nullish()
    .describe("A form that visitors fill in before they’re redirected. null: none."),
  qr: qrDesign
    .refine((design) => !findDesignWarnings(design).includes("alike"), tooAlike)
    .nullish()
    .describe(
      "Design of the QR code of the link, as in QR code templates. null: the default template of the workspace.",
    ),
  origin: linkOrigin.nullish(),
  reuse: z
    .union([z.boolean(), z.int().min(1).max(reuseSecondsMax)])
    .nullish()
    .describe(
      "Return the existing link for this url if there is one: true for a day, or the number of seconds. Each use extends the period.",
    ),
} satisfies Record<BodyName, z.ZodType> & Record<string, z.ZodType>);
export type NewLink = z.output<typeof createLinkBody>;

const urlOnlyFields = { url: true, domain: true, reuse: true } as const;
const urlOnlyBody = createLinkBody.pick(urlOnlyFields).loose();

/** Aliases of a body: a second value would be lost, or added to the first. */
function checkAliases({ value, issues }: z.core.ParsePayload<EditLink>): void {
  const { key, slug, tagId, tagIds } = value;
  const refuse = (alias: string, name: string) =>
    issues.push({ code: "custom", input: value, path: [alias], message: aliasDiffers(name) });
  if (isGiven(key) && isGiven(slug) && key !== slug) refuse("slug", "key");
  if (tagId && isGiven(tagIds) && !listOf(tagIds).includes(tagId)) refuse("tagId", "tagIds");
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function withKey<Body extends EditLink>(body: Body): Body {
  return isGiven(body.slug) ? { ...body, key: body.slug, slug: undefined } : body;
}

/** As `createLinkBody`, with `key` in place of its alias. */
export const newLinkBody = createLinkBody.check(checkAliases).overwrite(withKey);
const fullLinkBody = newLinkBody.loose();

/** Responses contain this instead of a password. Sent back with an edit, it keeps the password. */
export const passwordMask = "********";

/** Whether a body has only a destination. Null is the same as omitted, except in `retiresAt`. */
export function isUrlOnly(body: Readonly<Record<string, unknown>>): boolean {
  for (const name in body) {
    const given = body[name] !== undefined && (body[name] !== null || name === "retiresAt");
    if (given && !(name in urlOnlyFields)) return false;
  }
  return true;
}

/** Sound because every object can be read by any name. */
function fieldsOf(value: object): Readonly<Record<string, unknown>> {
  return value as Readonly<Record<string, unknown>>;
}

/** Validating all forty fields took a tenth of the time of a create with only a URL. */
export function parseNewLink(value: unknown): z.ZodSafeParseResult<NewLink> {
  const bare = typeof value === "object" && value !== null && isUrlOnly(fieldsOf(value));
  return (bare ? urlOnlyBody : fullLinkBody).safeParse(value);
}

/** All fields of a create, except those that only apply to creation. Null clears a field. */
export const editLinkBody = createLinkBody
  .omit({ keyLength: true, prefix: true, origin: true, reuse: true })
  .extend({
    url: z
      .literal("")
      .or(webUrl)
      .describe("Only root links of domains may be without: send an empty text."),
  })
  .partial();
export type EditLink = z.output<typeof editLinkBody>;
export const changeLinkBody = editLinkBody.check(checkAliases).overwrite(withKey);
