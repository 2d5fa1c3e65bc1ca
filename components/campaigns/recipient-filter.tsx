"use client";

import { useTranslations } from "next-intl";
import { useUrlFilters } from "#components/shell/url-filters";
import { ExportMenu } from "#components/ui/export-menu";
import { Select } from "#components/ui/select";
import { type RecipientsShown, recipientsShown } from "./recipients-shown.ts";

interface RecipientFilterProps {
  shown: RecipientsShown;
  /** The file of the recipients shown. */
  exportHref: string;
}

export function RecipientFilter({ shown, exportHref }: RecipientFilterProps) {
  const t = useTranslations("recipients.table");
  const { set } = useUrlFilters();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t("show")}
        className="w-52"
        options={recipientsShown.map((value) => ({ value, label: t(`shown.${value}`) }))}
        value={shown}
        onValueChange={(value) => set({ show: value === "all" ? "" : value })}
      />
      <ExportMenu
        label={t("export")}
        title={t("exportTitle")}
        formats={["csv", "xlsx", "jsonl"]}
        hrefOf={(format) => `${exportHref}&format=${format}`}
      />
    </div>
  );
}
