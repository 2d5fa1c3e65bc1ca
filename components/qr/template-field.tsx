"use client";

import { useTranslations } from "next-intl";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { SelectField } from "../ui/labeled.tsx";
import { ownDesign, plainTemplate } from "./template-bar.tsx";

export function TemplateField({ templates }: { templates: readonly Template[] }) {
  const t = useTranslations("qr");
  return (
    <SelectField
      label={t("templates")}
      name="template"
      defaultValue={ownDesign}
      options={[
        { value: ownDesign, label: t("linkDesign") },
        { value: plainTemplate, label: t("plain") },
        ...templates.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
