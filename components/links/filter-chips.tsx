"use client";

import { X } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { UrlFilters } from "#components/shell/url-filters";
import { Button } from "#components/ui/button";
import { linkFeatures, linkStatuses, noFolder } from "#lib/links/reading/schema";
import { creatorOption, type FilterNames, filterNames } from "./names.ts";

interface FilterChipsProps extends Pick<UrlFilters, "params" | "set"> {
  named: FilterNames;
}

type FilterName = (typeof filterNames)[number];

export function FilterChips({ params, set, named }: FilterChipsProps) {
  const t = useTranslations("linkFilters");
  const texts = useFilterTexts(params, named);
  const shown = filterNames.flatMap((name) => (texts[name] ? [{ name, text: texts[name] }] : []));
  if (shown.length === 0) return null;
  return (
    <ul aria-label={t("filters")} className="mt-3 flex flex-wrap items-center gap-2">
      {shown.map(({ name, text }) => (
        <li
          key={name}
          className="flex h-7 max-w-full items-center rounded-md border border-line bg-surface pl-2.5 text-sm shadow-raised pointer-coarse:h-10"
        >
          <span className="truncate">{text}</span>
          <button
            type="button"
            aria-label={t("removeFilter", { filter: text })}
            onClick={() => set({ [name]: "" })}
            className="grid h-full w-7 shrink-0 place-items-center rounded-r-md text-ink-muted hover:bg-hover hover:text-ink pointer-coarse:w-10"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
      {shown.length > 1 ? (
        <li>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => set(Object.fromEntries(filterNames.map((name) => [name, ""])))}
          >
            {t("clearFilters")}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

function useFilterTexts(
  params: URLSearchParams,
  { tags, folder, members, keys, imported }: FilterNames,
): Record<FilterName, string> {
  const t = useTranslations("linkFilters");
  const states = useTranslations("links.states");
  const creator = creatorOption(params.get("user"), members, t("unknownCreator"));
  const clicked = params.get("clicked");
  const format = useFormatter();
  const list = useLocale();
  const status = linkStatuses.find((name) => name === params.get("status"));
  const feature = linkFeatures.find((name) => name === params.get("feature"));
  const day = (name: "from" | "to") => {
    const at = new Date(`${params.get(name)}T00:00:00Z`);
    if (Number.isNaN(at.getTime())) return "";
    return format.dateTime(at, { dateStyle: "medium", timeZone: "UTC" });
  };
  const key = params.get("key");
  const tagNames = new Intl.ListFormat(list, { type: "disjunction" });
  const of = (kind: string, name: string | null | undefined) => (name ? `${kind}: ${name}` : "");
  return {
    domain: of(t("domain"), params.get("domain")),
    status: of(t("status"), status && t(`statuses.${status}`)),
    feature: of(t("feature"), feature && states(feature)),
    tag: of(t("tag"), tagNames.format(tags.map(({ name }) => name))),
    from: of(t("from"), day("from")),
    to: of(t("to"), day("to")),
    key: of(t("apiKey"), key && (keys.find(({ id }) => id === key)?.name ?? t("unknownKey"))),
    import: of(t("import"), params.get("import") && (imported?.name ?? t("unknownImport"))),
    folder: params.get("folder") === noFolder ? t("noFolder") : of(t("folder"), folder?.name),
    user: of(t("creator"), creator?.name),
    clicked: clicked === "true" ? t("withClicks") : clicked === "false" ? t("withoutClicks") : "",
    archived: params.get("archived") === "true" ? t("withArchived") : "",
  };
}
