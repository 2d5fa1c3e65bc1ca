"use client";

import { ListFilter, SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import { type UrlFilters, UrlSearch, useUrlFilters } from "#components/shell/url-filters";
import { Button } from "#components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { FilterChips, FilterFields, LookFields } from "./lazy-parts.ts";
import { type ListLayout, writeLayout } from "./list-layout.ts";
import { type FilterNames, filterNames } from "./names.ts";
import { ViewsMenu, type ViewsMenuProps } from "./views-menu.tsx";

interface LinkFiltersProps {
  workspace: string;
  hosts: readonly string[];
  named: FilterNames;
  /** Whether this server finds broken destinations. */
  checks: boolean;
  /** Null for visitors of the public demo, who have no saved views, nor the lists in the filters. */
  views: Omit<ViewsMenuProps, "params"> | null;
  layout: ListLayout;
  chooseLayout: (layout: string) => Promise<void>;
}

export function LinkFilters({ layout, chooseLayout, views, ...options }: LinkFiltersProps) {
  const t = useTranslations("links");
  const filters = useUrlFilters();
  const { named } = options;
  return (
    <>
      <div className="flex items-center gap-2">
        <UrlSearch
          label={t("searchLabel")}
          placeholder={t("searchPlaceholder")}
          searching={t("searching")}
          className="min-w-0 flex-1"
        />
        {views ? (
          <>
            <FilterBox {...filters} {...options} />
            <ViewsMenu {...views} params={filters.params} />
          </>
        ) : null}
        <DisplayMenu {...filters} layout={layout} chooseLayout={chooseLayout} />
      </div>
      {filterNames.some((name) => filters.params.get(name)) ? (
        <FilterChips {...filters} named={named} />
      ) : null}
    </>
  );
}

type FilterBoxProps = UrlFilters & Omit<LinkFiltersProps, "layout" | "chooseLayout" | "views">;

function FilterBox({ params, set, pending: _pending, ...options }: FilterBoxProps) {
  const t = useTranslations("links");
  const count = filterNames.filter((name) => params.get(name)).length;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className="h-9 pointer-coarse:h-11">
          <ListFilter aria-hidden />
          <span className="max-sm:sr-only">{t("display")}</span>
          {count > 0 ? <span className="text-accent tabular-nums">{count}</span> : null}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        sheet
        aria-label={t("displayLabel")}
        className="grid max-h-(--radix-popover-content-available-height) gap-3 overflow-y-auto"
      >
        <FilterFields {...options} params={params} set={set} />
      </PopoverContent>
    </Popover>
  );
}

interface DisplayMenuProps {
  params: URLSearchParams;
  set: UrlFilters["set"];
  layout: ListLayout;
  chooseLayout: (layout: string) => Promise<void>;
}

/** Chooses the order and the layout of links. The order is in the URL, the layout in a cookie. */
function DisplayMenu({ params, set, layout, chooseLayout }: DisplayMenuProps) {
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
      <PopoverContent sheet aria-label={t("lookLabel")} className="grid gap-4">
        <LookFields params={params} set={set} layout={shown} choose={choose} />
      </PopoverContent>
    </Popover>
  );
}
