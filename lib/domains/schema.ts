/** What may be said of a domain, and the Domain that everyone reads. */
import { z } from "zod";
import { webAddress } from "#lib/targets/schema";

const slugCharsMax = 253;
const fileCharsMax = 100_000;
const pageMax = 1_000;
const pageSizeMax = 100;
const pageSizeUsual = 50;
const searchCharsMax = 253;

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;

/** What makes a host name is checked by the room, which knows the installation. */
const slug = z
  .string()
  .trim()
  .min(1, "Give the name of a host.")
  .max(4 * slugCharsMax);

const logo = webAddress.refine(
  (url) => /^https:/i.test(url),
  "Give the address of a picture that begins with https://.",
);

/** A file that apps of phones ask a domain for. */
function jsonFile(isRight: (value: unknown) => boolean, advice: string) {
  return z
    .string()
    .max(fileCharsMax, `The file has at most ${fileCharsMax} characters.`)
    .refine((text) => isRight(parse(text)), advice);
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // SyntaxError
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const fields = {
  archived: z.boolean().optional(),
  /** Where the root of the domain leads. */
  placeholder: webAddress.nullish(),
  expiredUrl: webAddress.nullish(),
  notFoundUrl: webAddress.nullish(),
  logo: logo.nullish(),
  assetLinks: jsonFile(Array.isArray, "Give the text of assetlinks.json, a JSON array.").nullish(),
  appleAppSiteAssociation: jsonFile(
    isObject,
    "Give the text of apple-app-site-association, a JSON object.",
  ).nullish(),
  /** Keys of such a domain do not tell capitals from small letters. */
  caseInsensitive: z.boolean().optional(),
};

export const createDomainBody = z.object({ slug, ...fields });
export type NewDomain = z.output<typeof createDomainBody>;

export const editDomainBody = z.object({ slug: slug.optional(), ...fields });
export type EditDomain = z.output<typeof editDomainBody>;

const text = z.string().nullable();

export const domainShape = z.object({
  id: z.string(),
  slug: z.string(),
  verified: z.boolean(),
  primary: z.boolean(),
  archived: z.boolean(),
  placeholder: text,
  expiredUrl: text,
  notFoundUrl: text,
  logo: text,
  assetLinks: text,
  appleAppSiteAssociation: text,
  createdAt: z.string(),
  updatedAt: z.string(),
  registeredDomain: z.null(),
  /** Only there when it is true. */
  caseInsensitive: z.literal(true).optional(),
});
export type DomainView = z.output<typeof domainShape>;

export const listDomainsQuery = z.object({
  archived: z.enum(["true", "false"], "Write true or false.").default("false"),
  search: z
    .string()
    .trim()
    .toLowerCase()
    .max(searchCharsMax)
    .regex(plainText, "Leave out the control characters.")
    .optional(),
  page: z.coerce.number().int().min(1).max(pageMax).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeUsual),
});
export type ListDomains = z.output<typeof listDomainsQuery>;
