"use server";

import { z } from "zod";
import { changeUtmTemplate, createUtmTemplate, deleteUtmTemplate } from "#lib/links/utm";
import { newUtmTemplate } from "#lib/links/utm/schema";
import { formOf, nameArgument } from "../../../../action.ts";
import { changeAction } from "../../../workspace-action.ts";
import { saveAction } from "../../named.ts";

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

export const saveUtmAction = saveAction(
  formOf(form, {
    name: "utmName",
    utm_source: "tooLong",
    utm_medium: "tooLong",
    utm_campaign: "tooLong",
    utm_term: "tooLong",
    utm_content: "tooLong",
    ref: "tooLong",
  }),
  {
    create: createUtmTemplate,
    edit: changeUtmTemplate,
    forbidden: ({ permissions }) => (permissions.has("links.write") ? "utmFull" : "forbidden"),
  },
);

export const deleteUtmAction = changeAction([nameArgument], deleteUtmTemplate);
