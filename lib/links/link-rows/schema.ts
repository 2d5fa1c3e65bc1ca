import { z } from "zod";
import { moment } from "#lib/basics/fields/schema";

/** How long visits of a retired link get 410 before it is deleted. */
export const quarantineDays = 180;

export const retirementDate = z
  .union([moment, z.literal("default")], {
    error: "Use a date and time such as 2026-01-31T12:00:00Z, null, or default.",
  })
  .describe(
    "When the link retires: visits get 410 for 180 days, then the link is deleted with its stats. null: never. `default` or omitted: as the workspace, which by default retires links created with the API two years after their last visit. Sent with an edit of a retired link, it brings the link back.",
  );

const originCharsMax = 500;

export const linkOrigin = z
  .object({
    system: z
      .string()
      .trim()
      .min(1)
      .max(50)
      .describe("The system that the link comes from, such as bitly."),
    shortLink: z
      .string()
      .trim()
      .min(1)
      .max(originCharsMax)
      .nullable()
      .describe(
        "Its short link there, without the scheme. A second link with the same value is refused.",
      ),
    clicks: z.int().min(0).nullable().describe("Its clicks there. They aren’t part of `clicks`."),
    createdAt: moment.nullable().describe("When it was created there."),
  })
  .describe("The link in the system that it comes from.");
export type LinkOrigin = z.output<typeof linkOrigin>;
