"use server";

import { updateWorkspace } from "#lib/workspaces";
import { editWorkspaceBody } from "#lib/workspaces/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { parseForm } from "../../../form-data.ts";
import { answerIn } from "../../seat.ts";

const refusals = { slug_taken: "slugTaken", slug_reserved: "slugReserved" } as const;

/** The form always sends all of it, so that a field that was emptied is refused instead of left alone. */
const form = editWorkspaceBody.pick({ name: true, slug: true, zone: true }).required();

/** Answers the slug, under which the page now is. */
export async function saveWorkspaceAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<string>> {
  const parsed = parseForm(data, form, {
    name: "workspaceName",
    slug: "workspaceSlug",
    zone: "zoneUnknown",
  });
  if (!parsed.ok) return parsed;
  return await answerIn(slug, async (scope) => {
    const outcome = await updateWorkspace(scope, parsed.value);
    if (!outcome.ok) return { ok: false, fields: { slug: refusals[outcome.code] } };
    return { ok: true, done: outcome.workspace.slug };
  });
}
