import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { z } from "zod";
import { callApi } from "#components/forms/call-api.ts";
import { LockNote, useLocked } from "#components/plans/locked";
import { SelectField } from "../ui/labeled.tsx";
import type { PartProps } from "./form-fields.tsx";

const formNames = z.array(z.object({ id: z.string(), name: z.string(), published: z.boolean() }));
type FormName = z.output<typeof formNames>[number];

/** The value of a select for no form. */
const none = "none";

/** The form that visitors answer before they go on. Hidden where the workspace has none. */
export function VisitorFormField({
  workspace,
  draft,
  change,
  errorOf,
}: PartProps & { workspace: string }) {
  const t = useTranslations("linkForm.form");
  const isLocked = useLocked("forms");
  const found = useForms(workspace);
  const offered = found.filter(
    ({ id, published }) => (published && !isLocked) || id === draft.formId,
  );
  if (offered.length === 0 && draft.formId === "") return null;
  return (
    <SelectField
      label={t("label")}
      hint={isLocked ? <LockNote text="removable" /> : t("hint")}
      error={errorOf("formId")}
      options={[
        { value: none, label: t("none") },
        ...offered.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={draft.formId || none}
      onValueChange={(formId) => change({ formId: formId === none ? "" : formId })}
    />
  );
}

function useForms(workspace: string): readonly FormName[] {
  const [found, setFound] = useState<readonly FormName[]>([]);
  const load = useEffectEvent(async () => {
    const answer = await callApi({ workspace, path: "/forms" });
    return formNames.parse(await answer.json());
  });
  useEffect(() => {
    let stale = false;
    load().then(
      (forms) => stale || setFound(forms),
      // Without them, the link keeps the one it has.
      () => undefined,
    );
    return () => {
      stale = true;
    };
  }, []);
  return found;
}
