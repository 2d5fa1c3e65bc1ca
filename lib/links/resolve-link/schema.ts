import { z } from "zod";

const shortCharsMax = 2_000;
const hostCharsMax = 253;

export const expandQuery = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(hostCharsMax)
    .optional()
    .describe("The domain of the link; send the key too."),
  key: z.string().min(1).max(shortCharsMax).optional().describe("The slug of the link."),
  url: z
    .string()
    .trim()
    .min(1)
    .max(shortCharsMax)
    .optional()
    .describe("The short link, instead of domain and key."),
});
export type ExpandQuery = z.output<typeof expandQuery>;

export const expansionShape = z.object({
  id: z.string(),
  domain: z.string(),
  key: z.string(),
  shortLink: z.string(),
  /** The destination, even of password-protected links: readers of links may see it. */
  url: z.string(),
  externalId: z.string().nullable(),
  tenantId: z.string().nullable(),
  archived: z.boolean(),
  expiresAt: z.string().nullable(),
  disabledAt: z.string().nullable(),
  createdAt: z.string(),
  /** Null for links created by the system. */
  createdBy: z
    .object({ id: z.string(), name: z.string(), type: z.enum(["user", "api_key"]) })
    .nullable(),
});
export type Expansion = z.infer<typeof expansionShape>;
