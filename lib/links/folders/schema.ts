import { z } from "zod";
import { comparedName, pageOf, pageSizeOf, searchOfName } from "#lib/basics/fields/schema";

const nameCharsMax = 190;
const descriptionCharsMax = 500;
const pageMax = 1_000;
const idsMax = 100;
const pageSizeMax = 100;
const pageSizeUsual = 50;

const name = comparedName(nameCharsMax);

const description = z
  .string()
  .trim()
  .max(descriptionCharsMax, `Use at most ${descriptionCharsMax} characters.`)
  .regex(/^[^\0\p{Cs}]*$/u, "Remove NUL and incomplete characters.");

const accessLevel = z.enum(["write", "read"], "Use write, read or null.").nullable();

const accessLevelHint = "Access of other members: write, read, or null for no access.";

export const createFolderBody = z.object({
  name: name.describe("Unique in the workspace, regardless of case."),
  description: description.nullish(),
  accessLevel: accessLevel.default("write").describe(accessLevelHint),
});
export type NewFolder = z.output<typeof createFolderBody>;

export const editFolderBody = z.object({
  name: name.optional(),
  description: description.nullish(),
  accessLevel: accessLevel.optional().describe(accessLevelHint),
});
export type EditFolder = z.output<typeof editFolderBody>;

export const folderShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.literal("default"),
  accessLevel: accessLevel.describe(accessLevelHint),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Folder = z.output<typeof folderShape>;

const ids = z
  .string()
  .transform((text) => text.split(",").filter((id) => id !== ""))
  .refine((list) => list.length <= idsMax, `Use at most ${idsMax} ids.`);

export const listFoldersQuery = z.object({
  search: searchOfName,
  ids: ids.optional().describe("Comma-separated folder ids."),
  page: pageOf(pageMax),
  pageSize: pageSizeOf(pageSizeMax, pageSizeUsual),
});
export type ListFolders = z.output<typeof listFoldersQuery>;
