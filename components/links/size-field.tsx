"use client";

import { useTranslations } from "next-intl";
import { useUrlFilters } from "../shell/url-filters.tsx";
import { Select } from "../ui/select.tsx";
import { type PageSize, pageSizes, usualPageSize } from "./page-size.ts";

/** How many links a page has; another size starts at the first page. */
export function SizeField({ size }: { size: PageSize }) {
  const t = useTranslations("links");
  const { set } = useUrlFilters();
  return (
    <Select
      aria-label={t("pageSize")}
      className="w-auto"
      value={String(size)}
      onValueChange={(value) => set({ size: value === String(usualPageSize) ? "" : value })}
      options={pageSizes.map((count) => ({ value: String(count), label: t("perPage", { count }) }))}
    />
  );
}
