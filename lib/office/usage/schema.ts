/** The use of an instance over time, as the API shows it. */
import { z } from "zod";

export const usagePeriods = [30, 90, 365] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

export const usageQuery = z.object({
  days: z
    .enum(["30", "90", "365"])
    .default("30")
    .transform((text): UsagePeriod => usagePeriods.find((one) => String(one) === text) ?? 30),
});

const usageDay = z.object({
  day: z.string().describe("A day in UTC, such as 2026-01-31."),
  links: z.number().describe("Links created, imported ones too."),
  clicks: z.number(),
  workspaces: z.number().describe("Workspaces created."),
  people: z.number().describe("Accounts created."),
});
export type UsageDay = z.infer<typeof usageDay>;

const codePool = z.object({
  length: z.number().describe("Characters of these slugs."),
  leased: z.number().describe("Issued or leased by a process."),
  left: z.number(),
  endsInDays: z.number().nullable().describe("null: in more than 10 years."),
});

export const usageShape = z.object({
  days: z.array(usageDay).describe("Oldest first, without gaps. The last one is today."),
  codes: z.object({
    perDay: z.number().describe("Average of the last 30 days, with slugs that restarts skipped."),
    pools: z.array(codePool),
    block: z
      .object({ start: z.number(), next: z.number(), end: z.number() })
      .nullable()
      .describe("The block of slugs in use. null: none, or Redis is not available."),
    nextBlock: z.number().describe("The number at which the next block begins."),
  }),
  storage: z.object({
    databaseBytes: z.number(),
    bytesPerDay: z
      .number()
      .nullable()
      .describe("Growth of the database, average of the last 30 days. null: not known yet."),
    tables: z
      .array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() }))
      .describe("The 10 largest tables with their indexes. Rows are estimates."),
    redis: z
      .object({ usedBytes: z.number(), maxBytes: z.number().nullable() })
      .nullable()
      .describe("null: Redis is not available."),
  }),
});
export type Usage = z.infer<typeof usageShape>;
