import { z } from "zod";

export const refusedMax = 100;
const idCharsMax = 255;

export const refusedQuery = z.object({
  startingAfter: z
    .string()
    .max(idCharsMax)
    .optional()
    .describe("`next` of the previous call. Omitted: from the newest link."),
});
export type RefusedQuery = z.output<typeof refusedQuery>;

export const refusedLinkShape = z.object({
  id: z.string(),
  shortLink: z.string(),
  host: z.string().describe("The host of the refused destination."),
  list: z.enum(["allow", "block"]),
  owner: z.enum(["workspace", "instance"]),
});
export type RefusedLink = z.output<typeof refusedLinkShape>;

export const refusedLinksShape = z.object({
  links: z.array(refusedLinkShape),
  checked: z.number().describe("Links that this call has checked."),
  next: z.string().nullable().describe("Where the next call continues; null at the end."),
});
export type RefusedLinks = z.output<typeof refusedLinksShape>;
