import { z } from "zod";
import {
  agreeing,
  comparedName,
  pageOf,
  pageSizeOf,
  searchOfName,
} from "#lib/basics/fields/schema";

export const tagColors = [
  "red",
  "yellow",
  "green",
  "blue",
  "purple",
  "brown",
  "gray",
  "pink",
] as const;
export type TagColor = (typeof tagColors)[number];

const nameCharsMax = 50;
const idsMax = 100;
const pageMax = 1_000;
const pageSizeMax = 100;

const name = comparedName(nameCharsMax)
  // Links list their tags separated by commas.
  .regex(/^[^,]*$/, "Remove the comma.");

const color = z.enum(tagColors, `Use one of ${tagColors.join(", ")}.`);

export const tagFields = z.object({
  name: name.optional().describe("Unique in the workspace, regardless of case."),
  tag: name.optional().describe("Alias of `name`."),
  color: color.optional().describe("Defaults to the least used color for new tags."),
});
/** `tag` is an older name of `name`. */
export const tagBody = tagFields.refine(...agreeing("name", "tag"));
export type TagBody = z.output<typeof tagBody>;

export const tagShape = z.object({ id: z.string(), name: z.string(), color: z.enum(tagColors) });
export type Tag = z.output<typeof tagShape>;

/** One id, several separated by commas, or the parameter several times. */
const ids = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    [given]
      .flat()
      .flatMap((text) => text.split(","))
      .map((id) => id.trim())
      .filter((id) => id !== ""),
  )
  .refine((list) => list.length <= idsMax, `Use at most ${idsMax} ids.`);

export const listTagsQuery = z.object({
  search: searchOfName,
  ids: ids.optional().describe("Comma-separated tag ids."),
  sortBy: z.enum(["name", "createdAt"]).default("name").describe("What the list is sorted by."),
  sortOrder: z.enum(["asc", "desc"]).default("asc").describe("desc: the reverse order."),
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax),
});
export type ListTags = z.output<typeof listTagsQuery>;
