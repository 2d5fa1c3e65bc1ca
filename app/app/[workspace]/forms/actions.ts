"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { changeForm, createForm, deleteForm } from "#lib/audience/forms";
import { findUnpublishable, newForm } from "#lib/audience/forms/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm, parseJsonField } from "../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { withFormErrors } from "../listing.ts";
import { saveNamed } from "../named.ts";

const { name, ...rest } = newForm.shape;
const content = z.strictObject(rest);
const heading = z.object({ id: z.string().optional(), name });

const messages: Readonly<Record<string, ErrorMessageKey>> = {
  title: "formTitle",
  fields: "formFields",
  privacyUrl: "urlInvalid",
  rememberDays: "formDays",
  consent: "formConsent",
  controller: "formController",
  confirmPhone: "formFields",
  codeCountries: "codeCountries",
};

/** Creates a form, or edits the one with the form's id. Returns its name. */
export const saveFormAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<string>> => {
    const { content: json, ...named } = Object.fromEntries(data);
    const head = parseForm(formOf(named), heading, { name: "utmName" });
    const body = parseJsonField(json, content, {
      fieldOf: ([first = ""]) => first,
      messageOf: ([first = ""]) => messages[first] ?? "tooLong",
    });
    if (!head.ok || !body.ok) {
      return {
        ok: false,
        fields: { ...(head.ok ? {} : head.fields), ...(body.ok ? {} : body.fields) },
      };
    }
    const missing = body.value.published ? findUnpublishable(body.value) : undefined;
    if (missing)
      return { ok: false, fields: { [missing.field]: messages[missing.field] ?? "unknown" } };
    const value = { ...head.value, ...body.value };
    return await saveNamed(
      slug,
      { ok: true, value },
      {
        create: createForm,
        edit: changeForm,
        forbidden: ({ permissions }) =>
          permissions.has("links.write") ? "formsFull" : "forbidden",
      },
    );
  },
);

function formOf(values: Record<string, FormDataEntryValue>): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(values)) form.set(key, value);
  return form;
}

export const deleteFormAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const answer = await withFormErrors(() => deleteForm(scope, id), {
        conflict: { form: "formInUse" },
      });
      if (!answer.ok) return answer;
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
