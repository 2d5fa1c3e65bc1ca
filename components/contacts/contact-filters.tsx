"use client";

import { useTranslations } from "next-intl";
import { PeriodFields } from "#components/shell/period-fields";
import { useUrlFilters } from "#components/shell/url-filters";
import { ExportMenu } from "#components/ui/export-menu";
import { Spinner } from "#components/ui/spinner";
import { SelectField } from "../ui/labeled.tsx";

interface ContactFiltersProps {
  forms: readonly { id: string; name: string }[];
  /** All contacts that match, as a file; the format follows. */
  exportHref: string;
}

/** A select element has no empty value. */
const everything = "*";

export function ContactFilters({ forms, exportHref }: ContactFiltersProps) {
  const t = useTranslations("contacts");
  const { params, pending, set } = useUrlFilters();
  const choose = (name: string) => (value: string) =>
    set({ [name]: value === everything ? "" : value });
  return (
    <search className="mb-5 grid grid-cols-2 items-end gap-3 lg:grid-cols-[1.2fr_1fr_auto_auto_auto]">
      <SelectField
        label={t("form")}
        value={params.get("form") || everything}
        onValueChange={choose("form")}
        options={[
          { value: everything, label: t("anyForm") },
          ...forms.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={t("marketing")}
        value={params.get("marketing") || everything}
        onValueChange={choose("marketing")}
        options={[
          { value: everything, label: t("anyMarketing") },
          { value: "true", label: t("yes") },
          { value: "false", label: t("no") },
        ]}
      />
      <PeriodFields labels={{ from: t("from"), to: t("to") }} filters={{ params, set }} />
      <ExportMenu
        label={t("export")}
        icon={pending ? <Spinner /> : undefined}
        className="col-span-2 h-9 lg:col-span-1 pointer-coarse:h-11"
        formats={["csv", "xlsx", "jsonl"]}
        hrefOf={(format) => `${exportHref}&format=${format}`}
      />
    </search>
  );
}
