/** The figures of an instance. */
import { z } from "zod";
import { officeCount } from "#lib/office/directory/schema";

export const overviewShape = z.object({
  workspaces: officeCount,
  people: officeCount,
  links: officeCount,
  reports: z.number().describe("Links with open reports, up to 100."),
  bans: z.number().describe("Active bans, up to 100."),
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
