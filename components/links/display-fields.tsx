"use client";

import { useTranslations } from "next-intl";
import type { UrlFilters } from "#components/shell/url-filters";
import { Choice } from "#components/ui/choice";
import { SelectField } from "../ui/labeled.tsx";
import { densities, type ListLayout, orderOf, orders, views } from "./list-layout.ts";

interface DisplayFieldsProps {
  params: URLSearchParams;
  set: UrlFilters["set"];
  layout: ListLayout;
  choose: (layout: ListLayout) => void;
}

export function DisplayFields({ params, set, layout, choose }: DisplayFieldsProps) {
  const t = useTranslations("listDisplay");
  return (
    <>
      <SelectField
        label={t("order")}
        value={orderOf(params.get("order")).name}
        onValueChange={(name) => set({ order: name === orders[0].name ? "" : name })}
        options={orders.map(({ name }) => ({ value: name, label: t(`orders.${name}`) }))}
      />
      <Choice
        label={t("view")}
        name="view"
        value={layout.view}
        options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
        onValueChange={(view) => choose({ ...layout, view })}
      />
      <Choice
        label={t("density")}
        name="density"
        value={layout.density}
        options={densities.map((value) => ({ value, label: t(`densities.${value}`) }))}
        onValueChange={(density) => choose({ ...layout, density })}
      />
    </>
  );
}
