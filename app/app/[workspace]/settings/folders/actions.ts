"use server";

import { z } from "zod";
import { createFolder, deleteFolder, editFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { parseForm } from "../../../../form-data.ts";
import { answerIn, renewPages } from "../../../seat.ts";
import { withRefusals } from "../listing.ts";

/** A list of choices cannot offer null. */
const closed = "none";

const form = createFolderBody.extend({
  id: z.string().optional(),
  description: createFolderBody.shape.description.default(null),
  accessLevel: z
    .enum(["write", "read", closed])
    .transform((level) => (level === closed ? null : level)),
});

/** Makes a folder, or changes the one that the form names. Answers its name. */
export async function saveFolderAction(slug: string, data: FormData): Promise<FormAnswer<string>> {
  const parsed = parseForm(data, form, { name: "folderName", description: "folderDescription" });
  if (!parsed.ok) return parsed;
  const { id, ...body } = parsed.value;
  return await answerIn(slug, async (scope) => {
    const save = () => (id === undefined ? createFolder(scope, body) : editFolder(scope, id, body));
    const full = id === undefined && scope.permissions.has("folders.write");
    const answer = await withRefusals(save, {
      conflict: { fields: { name: "nameTaken" } },
      forbidden: { form: full ? "planFull" : "notAllowed" },
    });
    renewPages(slug);
    return answer.ok ? { ok: true, done: answer.done.name } : answer;
  });
}

export async function deleteFolderAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) => {
    await deleteFolder(scope, String(id));
    renewPages(slug);
    return { ok: true, done: null };
  });
}
