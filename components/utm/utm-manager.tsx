"use client";

import { Megaphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { type NamedActions, NamedManager } from "#components/named/named-manager";
import { parameterNames, type UtmTemplate } from "#lib/links/utm/schema";
import { InputField } from "../ui/labeled.tsx";

interface UtmManagerProps {
  templates: readonly UtmTemplate[];
  actions: NamedActions | null;
}

export function UtmManager({ templates, actions }: UtmManagerProps) {
  const t = useTranslations("utm");
  const messages = useTranslations("linkForm.utm");
  return (
    <NamedManager
      messages="utm"
      icon={<Megaphone aria-hidden />}
      things={templates}
      columns={[
        {
          heading: t("name"),
          cellClass: "max-w-32 truncate font-medium sm:max-w-60",
          cell: ({ name }) => name,
        },
        {
          heading: t("columnValues"),
          headClass: "w-full",
          cellClass: "max-w-0 truncate text-ink-muted",
          cell: (template) =>
            parameterNames
              .map((name) => template[name])
              .filter(Boolean)
              .join(" · "),
        },
      ]}
      loss={() => t("deleteText")}
      nameHint={t("nameHint")}
      fields={(template, { errorOf, typed }) =>
        parameterNames.map((name) => (
          <InputField
            key={name}
            label={messages(name)}
            error={errorOf(name)}
            name={name}
            autoComplete="off"
            placeholder={messages(`${name}_example`)}
            defaultValue={typed(name, template?.[name] ?? "")}
          />
        ))
      }
      actions={actions}
    />
  );
}
