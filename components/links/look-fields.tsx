"use client";

import { useTranslations } from "next-intl";
import type { AddressFilters } from "../shell/address-filter.tsx";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { densities, type ListLook, views } from "./list-look.ts";
import { orderOf, orders } from "./list-order.ts";

interface LookFieldsProps {
  params: URLSearchParams;
  set: AddressFilters["set"];
  look: ListLook;
  choose: (look: ListLook) => void;
}

/** The order of a list, and its layout. */
export function LookFields({ params, set, look, choose }: LookFieldsProps) {
  const t = useTranslations("links");
  return (
    <>
      <Field label={t("order")}>
        {(control) => (
          <Select
            {...control}
            value={orderOf(params.get("order")).name}
            onValueChange={(name) => set({ order: name === orders[0].name ? "" : name })}
            options={orders.map(({ name }) => ({ value: name, label: t(`orders.${name}`) }))}
          />
        )}
      </Field>
      <Choice
        label={t("view")}
        name="view"
        value={look.view}
        options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
        onValueChange={(view) => choose({ ...look, view })}
      />
      <Choice
        label={t("density")}
        name="density"
        value={look.density}
        options={densities.map((value) => ({ value, label: t(`densities.${value}`) }))}
        onValueChange={(density) => choose({ ...look, density })}
      />
    </>
  );
}
