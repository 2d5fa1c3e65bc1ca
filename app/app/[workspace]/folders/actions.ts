"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { createFolder, deleteFolder, editFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { deleteNamed, saveNamed } from "../named.ts";

/** A select element has no null value. */
const noAccess = "none";

const form = createFolderBody.extend({
  id: z.string().optional(),
  description: createFolderBody.shape.description.default(null),
  accessLevel: z
    .enum(["write", "read", noAccess])
    .transform((level) => (level === noAccess ? null : level)),
});

/** Creates a folder, or edits the one with the form's id. Returns its name. */
export const saveFolderAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<string>> => {
    const messages = { name: "folderName", description: "folderDescription" } as const;
    return await saveNamed(slug, parseForm(data, form, messages), {
      create: createFolder,
      edit: editFolder,
      forbidden: ({ permissions }, isNew) =>
        isNew && permissions.has("folders.write") ? "planFull" : "forbidden",
    });
  },
);

export const deleteFolderAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await deleteNamed(slug, id, deleteFolder);
  },
);
