"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { changeUtmTemplate, createUtmTemplate, deleteUtmTemplate } from "#lib/links/utm";
import { newUtmTemplate } from "#lib/links/utm/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { deleteNamed, saveNamed } from "../named.ts";

/** An emptied field clears its value. */
const { name, ...values } = newUtmTemplate.shape;
const form = z.object({
  id: z.string().optional(),
  name,
  utm_source: values.utm_source.default(null),
  utm_medium: values.utm_medium.default(null),
  utm_campaign: values.utm_campaign.default(null),
  utm_term: values.utm_term.default(null),
  utm_content: values.utm_content.default(null),
  ref: values.ref.default(null),
});

/** Creates a template, or edits the one with the form's id. Returns its name. */
export const saveUtmAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<string>> => {
    const parsed = parseForm(data, form, {
      name: "utmName",
      utm_source: "tooLong",
      utm_medium: "tooLong",
      utm_campaign: "tooLong",
      utm_term: "tooLong",
      utm_content: "tooLong",
      ref: "tooLong",
    });
    return await saveNamed(slug, parsed, {
      create: createUtmTemplate,
      edit: changeUtmTemplate,
      forbidden: ({ permissions }) => (permissions.has("links.write") ? "utmFull" : "forbidden"),
    });
  },
);

export const deleteUtmAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await deleteNamed(slug, id, deleteUtmTemplate);
  },
);
