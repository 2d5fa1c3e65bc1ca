"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { UrlFilters } from "../shell/url-filters.tsx";
import { Button } from "../ui/button.tsx";
import { creatorOption, filterNames, type NamedOption } from "./names.ts";

interface FilterChipsProps extends Pick<UrlFilters, "params" | "set"> {
  tag: NamedOption | undefined;
  folder: NamedOption | undefined;
  members: readonly NamedOption[];
}

type FilterName = (typeof filterNames)[number];

/** The active filters; each can be removed. */
export function FilterChips({ params, set, ...named }: FilterChipsProps) {
  const t = useTranslations("links");
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

/** The text of each filter; empty: not active. */
function useFilterTexts(
  params: URLSearchParams,
  { tag, folder, members }: Pick<FilterChipsProps, "tag" | "folder" | "members">,
): Record<FilterName, string> {
  const t = useTranslations("links");
  const creator = creatorOption(params.get("user"), members, t("unknownCreator"));
  const clicked = params.get("clicked");
  const of = (kind: string, name: string | null | undefined) => (name ? `${kind}: ${name}` : "");
  return {
    domain: of(t("domain"), params.get("domain")),
    tag: of(t("tag"), tag?.name),
    folder: of(t("folder"), folder?.name),
    user: of(t("creator"), creator?.name),
    clicked: clicked === "true" ? t("withClicks") : clicked === "false" ? t("withoutClicks") : "",
    archived: params.get("archived") === "true" ? t("withArchived") : "",
  };
}
