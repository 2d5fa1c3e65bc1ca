/** Form actions for objects with a name: create, edit and delete. */

import type { FormAnswer } from "#components/forms/form";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { ParsedForm } from "../../form-data.ts";
import { refreshPages, runInWorkspace } from "../access.ts";
import { withFormErrors } from "./listing.ts";

interface NamedFunctions<Body> {
  create: (scope: WorkspaceScope, body: Body) => Promise<{ name: string }>;
  edit: (scope: WorkspaceScope, id: string, body: Body) => Promise<{ name: string }>;
  /** Which message explains the missing permission. */
  forbidden: (scope: WorkspaceScope, isNew: boolean) => ErrorMessageKey;
}

/** Creates an object, or edits the one with the form's id. Returns its name. */
export async function saveNamed<Value extends { id?: string | undefined }>(
  slug: string,
  parsed: ParsedForm<Value>,
  { create, edit, forbidden }: NamedFunctions<Omit<Value, "id">>,
): Promise<FormAnswer<string>> {
  if (!parsed.ok) return parsed;
  const { id, ...body } = parsed.value;
  return await runInWorkspace(slug, async (scope) => {
    const save = () => (id === undefined ? create(scope, body) : edit(scope, id, body));
    const answer = await withFormErrors(save, {
      conflict: { fields: { name: "nameTaken" } },
      forbidden: { form: forbidden(scope, id === undefined) },
    });
    refreshPages(slug);
    return answer.ok ? { ok: true, done: answer.done.name } : answer;
  });
}

export async function deleteNamed(
  slug: string,
  id: string,
  remove: (scope: WorkspaceScope, id: string) => Promise<unknown>,
): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) => {
    await remove(scope, id);
    refreshPages(slug);
    return { ok: true, done: null };
  });
}
