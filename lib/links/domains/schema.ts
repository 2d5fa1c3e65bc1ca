import { z } from "zod";
import { pageOf, pageSizeOf, plainText, webUrl } from "#lib/basics/fields/schema";
import { icpCharsMax, isIcpNumber } from "#lib/basics/formats/schema";
import { bareUrl } from "#lib/basics/urls/schema";

const slugCharsMax = 253;
const fileCharsMax = 100_000;
const pageMax = 1_000;
const pageSizeMax = 100;
const pageSizeUsual = 50;
const searchCharsMax = 253;

const slug = z
  .string()
  .trim()
  .min(1, "Enter a domain.")
  .max(4 * slugCharsMax);

const logo = webUrl.refine(
  (url) => /^https:/i.test(url),
  "Use the URL of an image that starts with https://.",
);

const icp = z
  .string()
  .trim()
  .max(icpCharsMax, `Use at most ${icpCharsMax} characters.`)
  .refine((text) => text === "" || isIcpNumber(text), "Use a form such as 京ICP备12345678号-1.")
  .transform((text) => text || null)
  .nullish();

function jsonFile(isRight: (value: unknown) => boolean, advice: string) {
  return z
    .string()
    .max(fileCharsMax, `Use at most ${fileCharsMax} characters.`)
    .refine((text) => text === "" || isRight(parse(text)), advice)
    .transform((text) => text || null)
    .nullish();
}

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
  archived: z.boolean().optional().describe("Hidden from lists. Its links keep working."),
  placeholder: webUrl.nullish().describe("Redirect for the domain root."),
  expiredUrl: webUrl
    .nullish()
    .describe("Redirect for expired links without their own `expiredUrl`."),
  notFoundUrl: webUrl.nullish().describe("Redirect for links that don’t exist."),
  logo: logo.nullish().describe("URL of an image, starting with https://."),
  assetLinks: jsonFile(Array.isArray, "Use the content of assetlinks.json, a JSON array.").describe(
    "Content of `assetlinks.json`, which lets Android apps open links.",
  ),
  appleAppSiteAssociation: jsonFile(
    isObject,
    "Use the content of apple-app-site-association, a JSON object.",
  ).describe("Content of `apple-app-site-association`, which lets iOS apps open links."),
  caseInsensitive: z.boolean().optional().describe("Whether keys ignore case."),
  trackConversion: z
    .boolean()
    .optional()
    .describe("Add the id of each click to the destinations of all its links, as `dub_id`."),
  icp: icp.describe(
    "ICP number, such as `京ICP备12345678号-1`. Shown on pages for visitors of the domain.",
  ),
};

export const createDomainBody = z.object({
  slug: slug.describe("The host, such as `go.example.com`."),
  ...fields,
});
export type NewDomain = z.output<typeof createDomainBody>;

/** People paste what their browser shows: `https://go.acme.com/`. */
export const hostForm = z.object({
  slug: slug
    .transform((text) => bareUrl(text))
    .transform((text) => (text.includes("://") ? text : text.replace(/[/?#].*$/s, "")))
    .refine((text) => text !== "", "Enter a domain."),
});

export const editDomainBody = z.object({
  slug: slug.optional().describe("A new host. It has to be verified again."),
  ...fields,
});
export type EditDomain = z.output<typeof editDomainBody>;

export const transferDomainBody = z.strictObject({
  workspaceId: z.string().describe("The new workspace. You have to be its owner or admin."),
});

const text = z.string().nullable();

export const domainShape = z.object({
  id: z.string(),
  slug: z.string(),
  verified: z.boolean().describe("Whether the domain is active."),
  primary: z.boolean().describe("Whether new links without a domain use this one."),
  archived: z.boolean(),
  placeholder: text,
  expiredUrl: text,
  notFoundUrl: text,
  logo: text,
  assetLinks: text,
  appleAppSiteAssociation: text,
  deepviewData: z.null().describe("Always null."),
  createdAt: z.string(),
  updatedAt: z.string(),
  registeredDomain: z.null(),
  icp: z.string().optional().describe("ICP number. Omitted if none."),
  caseInsensitive: z.literal(true).optional().describe("Omitted if false."),
  trackConversion: z.literal(true).optional().describe("Omitted if false."),
});
export type DomainView = z.output<typeof domainShape>;

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
export type DomainProblem = (typeof problems)[number];

const dnsRecordShape = z.object({
  purpose: z
    .enum(["ownership", "traffic"])
    .describe(
      "`ownership` proves that you own the domain; `traffic` routes visitors to this instance.",
    ),
  type: z
    .enum(["TXT", "CNAME", "A", "AAAA", "ALIAS"])
    .describe("`ALIAS` is also called ANAME or flattened CNAME."),
  name: z.string(),
  value: z.string().describe("The expected value."),
  found: z.array(z.string()).describe("The current values, shortened."),
  ok: z.boolean().nullable().describe("Null if not checked yet."),
});
export type DnsRecord = z.output<typeof dnsRecordShape>;

export const verificationShape = z.object({
  slug: z.string(),
  verified: z.boolean().describe("Whether the domain is active."),
  state: z
    .enum(["pending", "verified", "failing"])
    .describe(
      "`failing`: the domain is still active, but its DNS records have been missing since `failingSince`.",
    ),
  message: z.string().describe("The status and what to do next."),
  problems: z.array(z.enum(problems)).describe("The problems as stable codes."),
  records: z.array(dnsRecordShape),
  checkedAt: z.string().nullable().describe("Time of the last successful DNS lookup."),
  failingSince: z.string().nullable(),
});
export type Verification = z.output<typeof verificationShape>;

export const listDomainsQuery = z.object({
  archived: z
    .enum(["true", "false"], "Use true or false.")
    .default("false")
    .describe("true: include archived domains."),
  search: z
    .string()
    .trim()
    .toLowerCase()
    .max(searchCharsMax)
    .regex(plainText, "Remove the control characters.")
    .optional()
    .describe("Part of the name."),
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax, pageSizeUsual),
});
export type ListDomains = z.output<typeof listDomainsQuery>;
