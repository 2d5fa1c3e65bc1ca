import { z } from "zod";
import { pageOf, pageSizeOf } from "#lib/basics/fields/schema";

/** Older days are deleted. */
export const missedDaysMax = 90;
const daysUsual = 30;
const pageSizeMax = 100;
const pageSizeUsual = 50;
const pageMax = 100;
const domainCharsMax = 255;
const message = `Use a number of days from 1 to ${missedDaysMax}.`;

const periodShape = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(domainCharsMax)
    .optional()
    .describe("Only visits of this domain of the workspace."),
  days: z.coerce
    .number(message)
    .int(message)
    .min(1, message)
    .max(missedDaysMax, message)
    .default(daysUsual)
    .describe("Length of the period, in days. Days are in UTC, and today is the last one."),
});
export const missedPeriodQuery = periodShape;
export type MissedPeriod = z.output<typeof missedPeriodQuery>;

export const listMissedQuery = periodShape.extend({
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax, pageSizeUsual),
});
export type ListMissed = z.output<typeof listMissedQuery>;

const suggestionShape = z.object({
  id: z.string(),
  key: z.string(),
  shortLink: z.string(),
  url: z.string().describe("Its destination."),
});

export const missedLinkShape = z.object({
  domain: z.string(),
  key: z.string().describe("The slug that visitors asked for."),
  visits: z.number().int().describe("Visits by people."),
  atLeast: z
    .number()
    .int()
    .describe(
      "How many of the visits are certain. Less than `visits` only on days with very many.",
    ),
  lastAt: z.string().describe("The last visit."),
  suggestion: suggestionShape
    .nullable()
    .describe(
      "A link with a similar slug on the domain, which visitors may have meant. If it has the same slug, the link exists by now.",
    ),
});
export type MissedLink = z.output<typeof missedLinkShape>;

export const missedCountShape = z.object({
  links: z.number().int().describe("Different slugs that are stored."),
  visits: z.number().int().describe("Visits by people, including `others`."),
  others: z.number().int().describe("Visits by people whose slugs are not stored."),
  bots: z.number().int().describe("Visits by bots and scanners, which are not in `visits`."),
});
export type MissedCount = z.output<typeof missedCountShape>;
