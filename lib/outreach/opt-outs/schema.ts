import { z } from "zod";
import { pageSizeOf } from "#lib/basics/fields/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

export const optOutPhonesMax = 10_000;
/** Per form on the page, whose body has a smaller limit. */
export const optOutPhonesPerForm = 2_000;
/** Per call of a member who may not see phones. */
export const optOutPhonesUnseen = 100;
const pageSizeMax = 100;
/** No phone number is longer, but a cell of a file may be: its row is refused, not the call. */
const phoneCharsMax = 200;

export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/, "Use a country code with two letters, such as CN.");

export const phonesBody = z.strictObject({
  phones: z.array(z.string().max(phoneCharsMax)).min(1).max(optOutPhonesMax),
  country: countryCode
    .optional()
    .describe("The country of phone numbers without a country code (ISO 3166-1)."),
});
export type Phones = z.output<typeof phonesBody>;

export const listOptOutsQuery = z.object({
  pageSize: pageSizeOf(pageSizeMax),
  startingAfter: z.string().max(64).optional().describe("The id of the last opt-out of a page."),
});
export type ListOptOuts = z.output<typeof listOptOutsQuery>;

const optOutSources = ["added", "page", "reply", "gateway"] as const;
export type OptOutSource = (typeof optOutSources)[number];

export const optOutShape = z.object({
  id: z.string(),
  phone: z
    .string()
    .nullable()
    .describe("Masked without the permission `people.view`. null: the person was erased."),
  source: z
    .enum(optOutSources)
    .nullable()
    .describe(
      "added: by a member or an API key. page: by the recipient, on the page of `{optout}`. reply: by a reply of the recipient. gateway: reported by the gateway. null: from before sources were recorded.",
    ),
  createdAt: z.string(),
});
export type OptOut = z.output<typeof optOutShape>;

export const exportOptOutsQuery = z.object({ format: recordFormat });
export type ExportOptOuts = z.output<typeof exportOptOutsQuery>;

const phoneRow = z.number().describe("The position in `phones`, from 0.");

export const addedOptOutsShape = z.object({
  added: z.number(),
  existing: z.number().describe("Phones that were opted out before."),
  invalid: z.array(phoneRow).describe("The positions of invalid phones in `phones`, from 0."),
});
export type AddedOptOuts = z.output<typeof addedOptOutsShape>;

export const checkedOptOutsShape = z.object({
  optedOut: z.array(z.object({ row: phoneRow, id: z.string() })),
  invalid: z.array(phoneRow).describe("The positions of invalid phones in `phones`, from 0."),
});
export type CheckedOptOuts = z.output<typeof checkedOptOutsShape>;
