"use server";

import { z } from "zod";
import { createTag, deleteTag, editTag } from "#lib/links/tags";
import { tagFields } from "#lib/links/tags/schema";
import { formOf, nameArgument } from "../../../../action.ts";
import { changeAction } from "../../../workspace-action.ts";
import { saveAction } from "../../named.ts";

const form = tagFields
  .pick({ name: true, color: true })
  .required()
  .extend({ id: z.string().optional() });

export const saveTagAction = saveAction(formOf(form, { name: "tagName" }), {
  create: createTag,
  edit: editTag,
  forbidden: ({ permissions }) => (permissions.has("tags.write") ? "planFull" : "forbidden"),
});

export const deleteTagAction = changeAction([nameArgument], deleteTag);
