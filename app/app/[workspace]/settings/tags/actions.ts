"use server";

import { z } from "zod";
import { createTag, deleteTag, editTag } from "#lib/links/tags";
import { tagBody } from "#lib/links/tags/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { parseForm } from "../../../../form-data.ts";
import { answerIn, renewPages } from "../../../seat.ts";
import { withRefusals } from "../listing.ts";

const form = tagBody
  .pick({ name: true, color: true })
  .required()
  .extend({ id: z.string().optional() });

/** Makes a tag, or changes the one that the form names. Answers its name. */
export async function saveTagAction(slug: string, data: FormData): Promise<FormAnswer<string>> {
  const parsed = parseForm(data, form, { name: "tagName" });
  if (!parsed.ok) return parsed;
  const { id, ...body } = parsed.value;
  return await answerIn(slug, async (scope) => {
    const save = () => (id === undefined ? createTag(scope, body) : editTag(scope, id, body));
    const mayWrite = scope.permissions.has("tags.write");
    const answer = await withRefusals(save, {
      conflict: { fields: { name: "nameTaken" } },
      forbidden: { form: mayWrite ? "planFull" : "notAllowed" },
    });
    renewPages(slug);
    return answer.ok ? { ok: true, done: answer.done.name } : answer;
  });
}

export async function deleteTagAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) => {
    await deleteTag(scope, String(id));
    renewPages(slug);
    return { ok: true, done: null };
  });
}
