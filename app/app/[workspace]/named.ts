import type { FormAnswer } from "#components/forms/form";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { ReadArgument } from "../../action.ts";
import { formAction } from "../workspace-action.ts";
import { withFormErrors } from "./listing.ts";

interface NamedFunctions<Body> {
  create: (scope: WorkspaceScope, body: Body) => Promise<{ name: string }>;
  edit: (scope: WorkspaceScope, id: string, body: Body) => Promise<{ name: string }>;
  forbidden: (scope: WorkspaceScope, isNew: boolean) => ErrorMessageKey;
}

export function saveAction<Value extends { id?: string | undefined }>(
  form: ReadArgument<Value>,
  { create, edit, forbidden }: NamedFunctions<Omit<Value, "id">>,
) {
  return formAction([form], async (scope, { id, ...body }): Promise<FormAnswer<string>> => {
    const save = () => (id === undefined ? create(scope, body) : edit(scope, id, body));
    const answer = await withFormErrors(save, {
      conflict: { fields: { name: "nameTaken" } },
      forbidden: { form: forbidden(scope, id === undefined) },
    });
    return answer.ok ? { ok: true, done: answer.done.name } : answer;
  });
}
