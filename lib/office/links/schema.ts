/** Links of all workspaces, as administrators find them. */
import { z } from "zod";
import { reasonField } from "#lib/tenancy/operators/schema";

export const officeLinksMax = 50;
const destinationCharsMax = 2_048;

export const officeLinksQuery = z.object({
  destination: z
    .string()
    .trim()
    .max(destinationCharsMax)
    .optional()
    .describe(
      "A host such as example.com, which includes its subdomains, or the beginning of a URL such as https://example.com/login.",
    ),
  from: z
    .union([z.literal(""), z.iso.date()])
    .optional()
    .describe("Created on this day (UTC) or later."),
  startingAfter: z.coerce
    .number()
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("`next` of the previous call."),
});
export type OfficeLinksQuery = z.output<typeof officeLinksQuery>;

const foundLink = z.object({
  id: z.string(),
  shortLink: z.string(),
  url: z.string(),
  state: z.enum(["active", "archived", "disabled", "banned", "scheduled", "expired", "retired"]),
  createdAt: z.string(),
  workspace: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
});
export type FoundOfficeLink = z.infer<typeof foundLink>;
export const foundLinks = z.array(foundLink);

export const officeLinksShape = z.object({
  links: foundLinks.describe("Roughly newest first."),
  next: z
    .number()
    .nullable()
    .describe("Where the next call continues, even if this one found nothing; null at the end."),
});
export type OfficeLinks = z.output<typeof officeLinksShape>;

export const disableLinkBody = z.strictObject({ reason: reasonField });
