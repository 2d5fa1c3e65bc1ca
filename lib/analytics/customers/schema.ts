import { z } from "zod";
import {
  oneCursor,
  pageBesideCursorsOf,
  pageOrCursor,
  pageSizeOf,
} from "#lib/basics/fields/schema";

export const externalIdCharsMax = 255;
export const customerTextCharsMax = 255;
export const avatarCharsMax = 2_000;
const pageSizeMax = 100;
const pageMax = 100;
/** Facts are encrypted, so a search has to decrypt them. */
export const searchedMax = 100_000;
const personalHint = `Needs the permission \`people.view\`. Searches up to ${searchedMax.toLocaleString("en")} customers; narrow larger lists with \`linkId\` or \`country\`.`;

export const customerShape = z.object({
  id: z.string(),
  externalId: z
    .string()
    .describe("The id in your system. Without the permission `people.view`: the same as `id`."),
  name: z.string().nullable(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  country: z.string().nullable(),
  sales: z.int(),
  saleAmount: z.number(),
  createdAt: z.string(),
  firstSaleAt: z.string().nullable(),
});
export type Customer = z.output<typeof customerShape>;

export const listedCustomer = customerShape.extend({
  link: z
    .object({
      id: z.string(),
      domain: z.string(),
      key: z.string(),
      shortLink: z.string(),
      url: z.string(),
      programId: z.null(),
    })
    .nullable()
    .describe("The link of the first click. Null: deleted, or not visible to you."),
});
export type ListedCustomer = z.output<typeof listedCustomer>;

export const listCustomersQuery = z
  .object({
    externalId: z
      .string()
      .max(externalIdCharsMax)
      .optional()
      .describe("The id of the customer in your system."),
    linkId: z
      .string()
      .max(100)
      .optional()
      .describe("Customers whose first click was on this link."),
    country: z
      .string()
      .length(2)
      .toUpperCase()
      .optional()
      .describe("Customers from this country: two letters, such as DE."),
    email: z
      .string()
      .trim()
      .min(1)
      .max(customerTextCharsMax)
      .optional()
      .describe(`The complete email address. Case is ignored. ${personalHint}`),
    search: z
      .string()
      .trim()
      .min(1)
      .max(customerTextCharsMax)
      .optional()
      .describe(`Part of the external id, the name or the email address. ${personalHint}`),
    sortBy: z
      .enum(["createdAt", "saleAmount", "firstSaleAt"])
      .default("createdAt")
      .describe("What the list is sorted by."),
    sortOrder: z.enum(["asc", "desc"]).default("desc").describe("desc: newest or most first."),
    page: pageBesideCursorsOf(pageMax),
    pageSize: pageSizeOf(pageSizeMax),
    startingAfter: z.string().max(100).optional().describe("Id of the last customer before."),
    endingBefore: z.string().max(100).optional().describe("Id of the first customer after."),
  })
  .refine(...oneCursor)
  .refine(...pageOrCursor);
export type ListCustomers = z.output<typeof listCustomersQuery>;

const text = z.string().max(customerTextCharsMax).nullish();

export const editCustomerBody = z.object({
  externalId: z
    .string()
    .min(1, "Send the id that the customer has in your system.")
    .max(externalIdCharsMax)
    .optional()
    .describe("The id in your system. Later calls find the customer by it."),
  name: text.describe("`null` removes it."),
  email: text.describe("`null` removes it."),
  avatar: z.string().max(avatarCharsMax).nullish().describe("`null` removes it."),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "Use a country code of two letters, such as DE.")
    .optional()
    .describe("Recorded leads and sales keep the country of their click."),
});
export type EditCustomer = z.output<typeof editCustomerBody>;
