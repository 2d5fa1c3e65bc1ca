"use client";

import { useTranslations } from "next-intl";
import { useUrlFilters } from "#components/shell/url-filters";
import { Select } from "#components/ui/select";
import { type RecipientsShown, recipientsShown } from "./recipients-shown.ts";

export function RecipientFilter({ shown }: { shown: RecipientsShown }) {
  const t = useTranslations("recipients.table");
  const { set } = useUrlFilters();
  return (
    <Select
      aria-label={t("show")}
      className="w-52"
      options={recipientsShown.map((value) => ({ value, label: t(`shown.${value}`) }))}
      value={shown}
      onValueChange={(value) => set({ show: value === "all" ? "" : value })}
    />
  );
}
