import { z } from "zod";
import { keyCharsMax } from "#lib/links/fields/schema";

export const bulkRowsMax = 10_000;

const domainCharsMax = 255;

export const availabilityQuery = z.object({
  domain: z
    .string()
    .trim()
    .max(domainCharsMax)
    .toLowerCase()
    .optional()
    .describe("The domain. Defaults to the primary one."),
  key: z
    .string()
    .trim()
    .min(1, "Enter a key.")
    .max(2 * keyCharsMax)
    .describe("The slug to check."),
});
export type AvailabilityQuery = z.output<typeof availabilityQuery>;

export const availabilityShape = z.object({
  available: z.boolean(),
  reason: z.enum(["taken", "invalid"]).nullable(),
  message: z.string().nullable(),
});
export type Availability = z.output<typeof availabilityShape>;
