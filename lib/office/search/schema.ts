/** The results of the search in the back office. */
import { z } from "zod";
import { foundLinks } from "#lib/office/links/schema";

const textCharsMax = 2_048;

export const searchText = z
  .string()
  .trim()
  .min(1, "Enter what to search for.")
  .max(textCharsMax, "A search can have up to 2,048 characters.");

const workspace = z.object({ id: z.string(), name: z.string(), slug: z.string() });

const foundCode = z.object({
  code: z.string(),
  pk: z.number(),
  state: z
    .enum(["in_use", "reserved", "deleted", "unused", "not_issued"])
    .describe(
      "reserved: a custom slug spells it. unused: its range was leased, and no link has it. not_issued: after all leased ranges.",
    ),
  recycled: z.boolean().describe("Waits to be issued again."),
  link: z.string().nullable().describe("Id of its link."),
});
export type FoundCode = z.infer<typeof foundCode>;

export const searchShape = z.object({
  links: foundLinks,
  codes: z.array(foundCode),
  domains: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      verified: z.boolean(),
      workspace: workspace.nullable(),
    }),
  ),
  workspaces: z.array(workspace.extend({ plan: z.string(), deleted: z.boolean() })),
  people: z.array(
    z.object({ id: z.string(), name: z.string(), email: z.string(), operator: z.boolean() }),
  ),
});
export type FoundByOffice = z.infer<typeof searchShape>;
