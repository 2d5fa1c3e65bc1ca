"use client";

import { useTranslations } from "next-intl";
import { Field } from "#components/ui/field";
import { Select } from "#components/ui/select";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { ownDesign, plainTemplate } from "./template-bar.tsx";

/** The design of the codes of several links. */
export function TemplateField({ templates }: { templates: readonly Template[] }) {
  const t = useTranslations("qr");
  return (
    <Field label={t("templates")}>
      {(control) => (
        <Select
          {...control}
          name="template"
          defaultValue={ownDesign}
          options={[
            { value: ownDesign, label: t("linkDesign") },
            { value: plainTemplate, label: t("plain") },
            ...templates.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
    </Field>
  );
}
