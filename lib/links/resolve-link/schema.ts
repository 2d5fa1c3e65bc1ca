/** From a short link back to its destination: what may be asked, and what is answered. */
import { z } from "zod";

const shortCharsMax = 2_000;
const hostCharsMax = 253;

export const expandQuery = z.object({
  domain: z.string().trim().toLowerCase().min(1).max(hostCharsMax).optional(),
  key: z.string().min(1).max(shortCharsMax).optional(),
  /** A whole short link, instead of domain and key. */
  url: z.string().trim().min(1).max(shortCharsMax).optional(),
});
export type ExpandQuery = z.output<typeof expandQuery>;

export const expansionShape = z.object({
  id: z.string(),
  domain: z.string(),
  key: z.string(),
  shortLink: z.string(),
  /** The destination, of links with a password too: whoever may read links made it. */
  url: z.string(),
  externalId: z.string().nullable(),
  tenantId: z.string().nullable(),
  archived: z.boolean(),
  expiresAt: z.string().nullable(),
  disabledAt: z.string().nullable(),
  createdAt: z.string(),
  /** Who made the link, and what they are called; null for links that nobody asked for. */
  createdBy: z
    .object({ id: z.string(), name: z.string(), type: z.enum(["user", "api_key"]) })
    .nullable(),
});
export type Expansion = z.infer<typeof expansionShape>;
