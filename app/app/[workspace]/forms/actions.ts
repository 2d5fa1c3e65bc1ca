"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { changeForm, createForm, deleteForm } from "#lib/audience/forms";
import { findUnpublishable, newForm } from "#lib/audience/forms/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { formArgument, nameArgument, readBy } from "../../../action.ts";
import { type ParsedForm, parseForm, parseJsonField } from "../../../form-data.ts";
import { formAction } from "../../workspace-action.ts";
import { withFormErrors } from "../listing.ts";
import { saveAction } from "../named.ts";

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

function readForm(data: FormData): ParsedForm<z.output<typeof heading> & z.output<typeof content>> {
  const { content: json, ...named } = Object.fromEntries(data);
  const head = parseForm(withValues(named), heading, { name: "utmName" });
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
  return { ok: true, value: { ...head.value, ...body.value } };
}

function withValues(values: Record<string, FormDataEntryValue>): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(values)) form.set(key, value);
  return form;
}

export const saveFormAction = saveAction(readBy(formArgument(), readForm), {
  create: createForm,
  edit: changeForm,
  forbidden: ({ permissions }) => (permissions.has("links.write") ? "formsFull" : "forbidden"),
});

export const deleteFormAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<null>> => {
    const answer = await withFormErrors(() => deleteForm(scope, id), {
      conflict: { form: "formInUse" },
    });
    return answer.ok ? { ok: true, done: null } : answer;
  },
);
