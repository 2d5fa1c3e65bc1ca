"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { type BoardFilter, replaceFilter } from "./board-query.ts";
import { useBoard } from "./board-state.tsx";
import { useObjectNames } from "./object-names.ts";
import { useValueNames } from "./value-names.ts";

/** The active filters. Each can be inverted and removed. */
export function FilterChips() {
  const t = useTranslations("analytics");
  const { query, fixed, change } = useBoard();
  const shown = query.filters.filter(({ name }) => !fixed.includes(name));
  const nameOfId = useObjectNames(shown);
  if (shown.length === 0) return null;
  return (
    <ul aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
      {shown.map((filter) => (
        <li key={filter.name}>
          <Chip
            filter={filter}
            nameOfId={nameOfId}
            onChange={(next) => change({ filters: replaceFilter(query.filters, next) })}
          />
        </li>
      ))}
      <li>
        <Button variant="ghost" size="sm" onClick={() => change({ filters: [] })}>
          {t("clearFilters")}
        </Button>
      </li>
    </ul>
  );
}

interface ChipProps {
  filter: BoardFilter;
  nameOfId: (value: string) => string | undefined;
  onChange: (filter: BoardFilter) => void;
}

function Chip({ filter, nameOfId, onChange }: ChipProps) {
  const t = useTranslations("analytics");
  const nameOf = useValueNames();
  const kind = t(`filterNames.${filter.name}`);
  const values = filter.values
    .map((value) => nameOf(filter.name, value, nameOfId(value)))
    .join(t("or"));
  const text = t(filter.excluded ? "isNot" : "is", { kind, values });
  return (
    <span className="flex h-7 max-w-full items-center rounded-md border border-line bg-surface text-sm shadow-raised pointer-coarse:h-10">
      <button
        type="button"
        aria-label={t(filter.excluded ? "includeAgain" : "excludeInstead", { filter: text })}
        title={t(filter.excluded ? "includeAgainHint" : "excludeInsteadHint")}
        onClick={() => onChange({ ...filter, excluded: !filter.excluded })}
        className="h-full min-w-0 truncate rounded-l-md pr-1.5 pl-2.5 hover:bg-hover"
      >
        {text}
      </button>
      <button
        type="button"
        aria-label={t("removeFilter", { filter: text })}
        onClick={() => onChange({ ...filter, values: [] })}
        className="grid h-full w-7 shrink-0 place-items-center rounded-r-md text-ink-muted hover:bg-hover hover:text-ink pointer-coarse:w-10"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
