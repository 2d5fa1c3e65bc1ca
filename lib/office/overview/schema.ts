/** The figures of an instance. */
import { z } from "zod";

const count = z.object({
  count: z.number(),
  about: z.boolean().describe("Estimated by the database, because counting takes too long."),
});
export type OfficeCount = z.infer<typeof count>;

export const overviewShape = z.object({
  workspaces: count,
  people: count,
  links: count,
  clicksToday: z.number().describe("Since midnight UTC, without bots."),
  codes: z.array(
    z.object({
      length: z.number().describe("Characters of these codes."),
      leased: z.number().describe("Issued or leased by a process."),
      left: z.number(),
    }),
  ),
  jobsFailed: z.number().nullable().describe("null: the queue is not available."),
});
export type Overview = z.infer<typeof overviewShape>;
