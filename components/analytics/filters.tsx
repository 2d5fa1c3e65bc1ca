"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import { type BoardFilter, type FilterName, replaceFilter } from "./board-query.ts";
import { useBoard } from "./board-state.tsx";
import { FilterPicker } from "./filter-picker.tsx";
import type { FilterChoice } from "./groupings.ts";
import { readJson, useSource } from "./source.tsx";
import { useValueNames } from "./value-names.ts";

/** A button that adds a filter, and the filters of the page. */
export function Filters({ choices }: { choices: readonly FilterChoice[] }) {
  const t = useTranslations("analytics");
  const { query, fixed, change } = useBoard();
  const shown = query.filters.filter(({ name }) => !fixed.includes(name));
  const nameOfId = useObjectNames(shown);
  const free = choices.filter(({ filter }) => !fixed.includes(filter));
  if (shown.length === 0) return <FilterPicker choices={free} />;
  return (
    <ul aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
      <li>
        <FilterPicker choices={free} />
      </li>
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

const urls: Partial<Record<FilterName, (id: string) => string>> = {
  linkId: (id) => `/api/links/${encodeURIComponent(id)}`,
  tagId: (id) => `/api/tags?${new URLSearchParams({ ids: id })}`,
  folderId: (id) => `/api/folders/${encodeURIComponent(id)}`,
};

function useObjectNames(filters: readonly BoardFilter[]): (id: string) => string | undefined {
  const source = useSource();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const wanted = filters
    .flatMap(({ name, values }) => values.map((id) => urls[name]?.(id)))
    .filter((address) => address !== undefined)
    .join("\n");
  useEffect(() => {
    // A share may only query its own stats, so it shows ids.
    if (source.workspace === undefined || wanted === "") return;
    const controller = new AbortController();
    for (const address of wanted.split("\n")) {
      readJson(address, source, controller.signal)
        .then((answer) => setNames((before) => ({ ...before, ...namesIn(answer) })))
        .catch(() => undefined); // the id is displayed instead
    }
    return () => controller.abort();
  }, [source, wanted]);
  return (id) => names[id];
}

function namesIn(answer: unknown): Record<string, string> {
  const things: { id?: unknown; name?: unknown; shortLink?: unknown }[] = Array.isArray(answer)
    ? answer
    : [Object(answer)];
  return Object.fromEntries(
    things.flatMap(({ id, name, shortLink }) => {
      const text = shortLink ?? name;
      return typeof id === "string" && typeof text === "string" ? [[id, text]] : [];
    }),
  );
}
