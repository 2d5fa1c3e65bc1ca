/** What may be said of a folder, and the Folder that everyone reads. */
import { z } from "zod";

const nameCharsMax = 190;
const descriptionCharsMax = 500;
const pageMax = 1_000;
const idsMax = 100;
const pageSizeMax = 100;
const pageSizeUsual = 50;
const searchCharsMax = 100;

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;

const name = z
  .string()
  .trim()
  .normalize()
  .min(1, "Give the folder a name.")
  .max(nameCharsMax, `A name has at most ${nameCharsMax} characters.`)
  .regex(plainText, "A name has no control characters.");

const description = z
  .string()
  .trim()
  .max(descriptionCharsMax, `A description has at most ${descriptionCharsMax} characters.`)
  .regex(/^[^\0\p{Cs}]*$/u, "A description has no NUL and no half characters.");

const accessLevel = z.enum(["write", "read"], "Choose write, read or null.").nullable();

const told = "What members may do who did not make the folder: write, read, or nothing (null).";

export const createFolderBody = z.object({
  name: name.describe("Unique in the workspace, whatever its capitals."),
  description: description.nullish(),
  accessLevel: accessLevel.default("write").describe(told),
});
export type NewFolder = z.output<typeof createFolderBody>;

export const editFolderBody = z.object({
  name: name.optional(),
  description: description.nullish(),
  accessLevel: accessLevel.optional().describe(told),
});
export type EditFolder = z.output<typeof editFolderBody>;

export const folderShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.literal("default"),
  accessLevel: accessLevel.describe(told),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Folder = z.output<typeof folderShape>;

const ids = z
  .string()
  .transform((text) => text.split(",").filter((id) => id !== ""))
  .refine((list) => list.length <= idsMax, `Name at most ${idsMax} ids.`);

export const listFoldersQuery = z.object({
  search: z
    .string()
    .trim()
    .max(searchCharsMax)
    .regex(plainText, "Leave out the control characters.")
    .optional()
    .describe("A part of the name."),
  ids: ids.optional().describe("Ids of folders, with commas between them."),
  page: z.coerce.number().int().min(1).max(pageMax).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeUsual),
});
export type ListFolders = z.output<typeof listFoldersQuery>;
