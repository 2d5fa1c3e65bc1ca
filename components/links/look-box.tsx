"use client";

import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Select } from "../ui/select.tsx";
import { densities, type ListLook, views, writeLook } from "./list-look.ts";
import { orderOf, orders } from "./list-order.ts";

interface LookBoxProps {
  params: URLSearchParams;
  set: (name: string, value: string) => void;
  look: ListLook;
  chooseLook: (look: string) => Promise<void>;
}

/** In which order links come and how they are drawn. The order stands in the address, the look in a cookie. */
export function LookBox({ params, set, look, chooseLook }: LookBoxProps) {
  const t = useTranslations("links");
  const [shown, expect] = useOptimistic(look);
  function choose(next: ListLook) {
    startTransition(async () => {
      expect(next);
      await chooseLook(writeLook(next));
    });
  }
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className="h-9 pointer-coarse:h-11">
          <SlidersHorizontal aria-hidden />
          <span className="max-sm:sr-only">{t("look")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("lookLabel")} className="grid gap-4">
        <Field label={t("order")}>
          {(control) => (
            <Select
              {...control}
              value={orderOf(params.get("order")).name}
              onValueChange={(name) => set("order", name === orders[0].name ? "" : name)}
              options={orders.map(({ name }) => ({ value: name, label: t(`orders.${name}`) }))}
            />
          )}
        </Field>
        <Choice
          label={t("view")}
          name="view"
          value={shown.view}
          options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onValueChange={(view) => choose({ ...shown, view })}
        />
        <Choice
          label={t("density")}
          name="density"
          value={shown.density}
          options={densities.map((value) => ({ value, label: t(`densities.${value}`) }))}
          onValueChange={(density) => choose({ ...shown, density })}
        />
      </PopoverContent>
    </Popover>
  );
}
