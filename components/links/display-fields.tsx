"use client";

import { useTranslations } from "next-intl";
import type { UrlFilters } from "#components/shell/url-filters";
import { Checkbox } from "#components/ui/checkbox";
import { Choice } from "#components/ui/choice";
import { Switch } from "#components/ui/switch";
import { SelectField } from "../ui/labeled.tsx";
import {
  columns,
  columnsWith,
  densities,
  type ListLayout,
  orderOf,
  orders,
  views,
} from "./list-layout.ts";

interface DisplayFieldsProps {
  params: URLSearchParams;
  set: UrlFilters["set"];
  layout: ListLayout;
  choose: (layout: ListLayout) => void;
}

export function DisplayFields({ params, set, layout, choose }: DisplayFieldsProps) {
  const t = useTranslations("listDisplay");
  const names = useTranslations("links.columns");
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
      <fieldset className="grid grid-cols-2 gap-x-3 gap-y-2">
        <legend className="mb-2 font-medium text-sm">{t("columns")}</legend>
        {columns.map((column) => (
          <Checkbox
            key={column}
            label={names(column)}
            checked={layout.columns.includes(column)}
            onCheckedChange={(checked) =>
              choose({ ...layout, columns: columnsWith(layout.columns, column, checked === true) })
            }
          />
        ))}
      </fieldset>
      <div className="hidden min-[1400px]:block">
        <Switch
          label={t("folders")}
          checked={layout.folders}
          onCheckedChange={(folders) => choose({ ...layout, folders })}
        />
      </div>
    </>
  );
}
