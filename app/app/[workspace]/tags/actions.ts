"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { createTag, deleteTag, editTag } from "#lib/links/tags";
import { tagBody } from "#lib/links/tags/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { deleteNamed, saveNamed } from "../named.ts";

const form = tagBody
  .pick({ name: true, color: true })
  .required()
  .extend({ id: z.string().optional() });

/** Creates a tag, or edits the one with the form's id. Returns its name. */
export const saveTagAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<string>> => {
    return await saveNamed(slug, parseForm(data, form, { name: "tagName" }), {
      create: createTag,
      edit: editTag,
      forbidden: ({ permissions }) => (permissions.has("tags.write") ? "planFull" : "forbidden"),
    });
  },
);

export const deleteTagAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await deleteNamed(slug, id, deleteTag);
  },
);
