"use client";

import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import type { UrlFilters } from "#components/shell/url-filters";
import { Button } from "#components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { LookFields } from "./lazy-parts.ts";
import { type ListLayout, writeLayout } from "./list-layout.ts";

interface DisplayMenuProps {
  params: URLSearchParams;
  set: UrlFilters["set"];
  layout: ListLayout;
  chooseLayout: (layout: string) => Promise<void>;
}

/** The order and layout of links. The order is in the URL, the layout in a cookie. */
export function DisplayMenu({ params, set, layout, chooseLayout }: DisplayMenuProps) {
  const t = useTranslations("links");
  const [shown, expect] = useOptimistic(layout);
  function choose(next: ListLayout) {
    startTransition(async () => {
      expect(next);
      await chooseLayout(writeLayout(next));
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
        <LookFields params={params} set={set} layout={shown} choose={choose} />
      </PopoverContent>
    </Popover>
  );
}
