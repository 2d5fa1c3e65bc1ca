"use client";

import { ListFilter } from "lucide-react";
import { useTranslations } from "next-intl";
import { type AddressFilters, AddressSearch, useAddressFilters } from "../shell/address-filter.tsx";
import { Button } from "../ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { FilterChips, FilterFields } from "./late.ts";
import type { ListLook } from "./list-look.ts";
import { LookBox } from "./look-box.tsx";
import { filterNames, type Named } from "./names.ts";

interface LinkFiltersProps {
  workspace: string;
  hosts: readonly string[];
  /** The tag and the folder of the filter. */
  tag: Named | undefined;
  folder: Named | undefined;
  members: readonly Named[];
  look: ListLook;
  chooseLook: (look: string) => Promise<void>;
}

export function LinkFilters({ look, chooseLook, ...asked }: LinkFiltersProps) {
  const t = useTranslations("links");
  const filters = useAddressFilters();
  const { tag, folder, members } = asked;
  return (
    <>
      <div className="flex items-center gap-2">
        <AddressSearch
          label={t("searchLabel")}
          placeholder={t("searchPlaceholder")}
          searching={t("searching")}
          className="min-w-0 flex-1"
        />
        <FilterBox {...filters} {...asked} />
        <LookBox {...filters} look={look} chooseLook={chooseLook} />
      </div>
      {filterNames.some((name) => filters.params.get(name)) ? (
        <FilterChips {...filters} tag={tag} folder={folder} members={members} />
      ) : null}
    </>
  );
}

type FilterBoxProps = AddressFilters & Omit<LinkFiltersProps, "look" | "chooseLook">;

function FilterBox({ params, set, pending: _pending, ...asked }: FilterBoxProps) {
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
        aria-label={t("displayLabel")}
        className="grid max-h-(--radix-popover-content-available-height) gap-3 overflow-y-auto"
      >
        <FilterFields {...asked} params={params} set={set} />
      </PopoverContent>
    </Popover>
  );
}
