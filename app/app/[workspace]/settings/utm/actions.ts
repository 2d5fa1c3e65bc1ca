"use server";

import { z } from "zod";
import { changeUtmTemplate, createUtmTemplate, deleteUtmTemplate } from "#lib/links/utm";
import { newUtmTemplate } from "#lib/links/utm/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { parseForm } from "../../../../form-data.ts";
import { answerIn, renewPages } from "../../../seat.ts";
import { withRefusals } from "../listing.ts";

/** A field that was emptied clears its value. */
const { name, ...values } = newUtmTemplate.shape;
const form = z.object({
  id: z.string().optional(),
  name,
  utm_source: values.utm_source.default(null),
  utm_medium: values.utm_medium.default(null),
  utm_campaign: values.utm_campaign.default(null),
  utm_term: values.utm_term.default(null),
  utm_content: values.utm_content.default(null),
});

/** Makes a template, or changes the one that the form names. Answers its name. */
export async function saveUtmAction(slug: string, data: FormData): Promise<FormAnswer<string>> {
  const parsed = parseForm(data, form, {
    name: "utmName",
    utm_source: "tooLong",
    utm_medium: "tooLong",
    utm_campaign: "tooLong",
    utm_term: "tooLong",
    utm_content: "tooLong",
  });
  if (!parsed.ok) return parsed;
  const { id, ...body } = parsed.value;
  return await answerIn(slug, async (scope) => {
    const save = () =>
      id === undefined ? createUtmTemplate(scope, body) : changeUtmTemplate(scope, id, body);
    const mayWrite = scope.permissions.has("links.write");
    const answer = await withRefusals(save, {
      conflict: { fields: { name: "nameTaken" } },
      forbidden: { form: mayWrite ? "utmFull" : "notAllowed" },
    });
    renewPages(slug);
    return answer.ok ? { ok: true, done: answer.done.name } : answer;
  });
}

export async function deleteUtmAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) => {
    await deleteUtmTemplate(scope, String(id));
    renewPages(slug);
    return { ok: true, done: null };
  });
}
