"use server";

import { z } from "zod";
import { createFolder, deleteFolder, editFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { formOf, nameArgument } from "../../../../action.ts";
import { changeAction } from "../../../workspace-action.ts";
import { saveAction } from "../../named.ts";

const noAccess = "none";

const form = createFolderBody.extend({
  id: z.string().optional(),
  description: createFolderBody.shape.description.default(null),
  accessLevel: z
    .enum(["write", "read", noAccess])
    .transform((level) => (level === noAccess ? null : level)),
});

export const saveFolderAction = saveAction(
  formOf(form, { name: "folderName", description: "folderDescription" }),
  {
    create: createFolder,
    edit: editFolder,
    forbidden: ({ permissions }, isNew) =>
      isNew && permissions.has("folders.write") ? "planFull" : "forbidden",
  },
);

export const deleteFolderAction = changeAction([nameArgument], deleteFolder);
