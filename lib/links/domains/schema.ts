/** What may be said of a domain, and the Domain that everyone reads. */
import { z } from "zod";
import { webAddress } from "#lib/platform/urls/schema";

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
  archived: z.boolean().optional().describe("Hidden from lists; its links work all the same."),
  placeholder: webAddress.nullish().describe("Where the root of the domain leads."),
  expiredUrl: webAddress
    .nullish()
    .describe("Where links lead that have ended, unless they name an address themselves."),
  notFoundUrl: webAddress.nullish().describe("Where visitors of missing links are sent."),
  logo: logo.nullish().describe("A picture of yours, over https."),
  assetLinks: jsonFile(Array.isArray, "Give the text of assetlinks.json, a JSON array.")
    .nullish()
    .describe("The text of `assetlinks.json`, by which Android lets apps open links."),
  appleAppSiteAssociation: jsonFile(
    isObject,
    "Give the text of apple-app-site-association, a JSON object.",
  )
    .nullish()
    .describe("The text of `apple-app-site-association`, by which iOS lets apps open links."),
  caseInsensitive: z
    .boolean()
    .optional()
    .describe("Whether keys do not tell capitals from small letters."),
};

export const createDomainBody = z.object({
  slug: slug.describe("The name of a host, such as `go.example.com`."),
  ...fields,
});
export type NewDomain = z.output<typeof createDomainBody>;

export const editDomainBody = z.object({
  slug: slug.optional().describe("Another host; it has to be verified again."),
  ...fields,
});
export type EditDomain = z.output<typeof editDomainBody>;

export const transferDomainBody = z.strictObject({
  workspaceId: z
    .string()
    .describe("The workspace that gets the domain; you are its owner or admin."),
});

const text = z.string().nullable();

export const domainShape = z.object({
  id: z.string(),
  slug: z.string(),
  verified: z.boolean().describe("Whether it serves visits and gets links."),
  primary: z.boolean().describe("Whether links are made on it that name no domain."),
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
  caseInsensitive: z.literal(true).optional().describe("Only there when it is true."),
});
export type DomainView = z.output<typeof domainShape>;

/** What there is to say of the DNS of a domain. */
export const problems = [
  "unsure",
  "resting",
  "taken",
  "ownership_missing",
  "ownership_wrong",
  "traffic_missing",
  "traffic_elsewhere",
  "target_unknown",
] as const;
export type Problem = (typeof problems)[number];

const dnsRecordShape = z.object({
  purpose: z
    .enum(["ownership", "traffic"])
    .describe("`ownership` proves whose the domain is; `traffic` brings visits here."),
  type: z
    .enum(["TXT", "CNAME", "A", "AAAA", "ALIAS"])
    .describe("`ALIAS`: what some providers call ANAME or a flattened CNAME."),
  name: z.string(),
  value: z.string().describe("What the record has to say."),
  found: z.array(z.string()).describe("What was found there, the first of it, shortened."),
  ok: z.boolean().nullable().describe("null: DNS was not asked yet."),
});
export type DnsRecord = z.output<typeof dnsRecordShape>;

export const verificationShape = z.object({
  slug: z.string(),
  verified: z.boolean().describe("Whether the domain serves."),
  state: z
    .enum(["pending", "verified", "failing"])
    .describe("`failing`: it serves, but its records are gone since `failingSince`."),
  message: z.string().describe("How it is, and what to do."),
  problems: z.array(z.enum(problems)).describe("The same for programs."),
  records: z.array(dnsRecordShape),
  checkedAt: z.string().nullable().describe("When DNS answered last."),
  failingSince: z.string().nullable(),
});
export type Verification = z.output<typeof verificationShape>;

export const listDomainsQuery = z.object({
  archived: z
    .enum(["true", "false"], "Write true or false.")
    .default("false")
    .describe("`true`: archived ones too."),
  search: z
    .string()
    .trim()
    .toLowerCase()
    .max(searchCharsMax)
    .regex(plainText, "Leave out the control characters.")
    .optional()
    .describe("A part of the name."),
  page: z.coerce.number().int().min(1).max(pageMax).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeUsual),
});
export type ListDomains = z.output<typeof listDomainsQuery>;
