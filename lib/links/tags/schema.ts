/** What may be said of a tag, and the Tag that everyone reads. */
import { z } from "zod";

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
const searchCharsMax = 100;

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;

const name = z
  .string()
  .trim()
  .normalize()
  .min(1, "Give the tag a name.")
  .max(nameCharsMax, `A name has at most ${nameCharsMax} characters.`)
  .regex(plainText, "A name has no control characters.")
  // Links name their tags in lists with commas between them.
  .regex(/^[^,]*$/, "A name has no comma.");

const color = z.enum(tagColors, `Choose one of ${tagColors.join(", ")}.`);

/** What a create or an edit may say. `tag` is an older word for `name`. */
export const tagBody = z.object({
  name: name.optional().describe("Unique in the workspace, whatever its capitals."),
  tag: name.optional().describe("An older name for `name`."),
  color: color.optional().describe("Left out of a new tag: the color that fewest tags have."),
});
export type TagBody = z.output<typeof tagBody>;

export const tagShape = z.object({ id: z.string(), name: z.string(), color: z.enum(tagColors) });
export type Tag = z.output<typeof tagShape>;

/** One id, several with commas between them, or the parameter several times. */
const ids = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    [given]
      .flat()
      .flatMap((text) => text.split(","))
      .map((id) => id.trim())
      .filter((id) => id !== ""),
  )
  .refine((list) => list.length <= idsMax, `Name at most ${idsMax} ids.`);

export const listTagsQuery = z.object({
  search: z
    .string()
    .trim()
    .max(searchCharsMax)
    .regex(plainText, "Leave out the control characters.")
    .optional()
    .describe("A part of the name."),
  ids: ids.optional().describe("Ids of tags, with commas between them."),
  sortBy: z.enum(["name", "createdAt"]).default("name"),
  sortOrder: z.enum(["asc", "desc"]).default("asc"),
  page: z.coerce.number().int().min(1).max(pageMax).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
});
export type ListTags = z.output<typeof listTagsQuery>;
