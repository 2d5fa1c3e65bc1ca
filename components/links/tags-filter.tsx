"use client";

import { ChevronsUpDown } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { classNames } from "../ui/class-names.ts";
import { Field } from "../ui/field.tsx";
import { fieldClass } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { NamePicker } from "./name-picker.tsx";
import type { NamedOption } from "./names.ts";
import { readTags } from "./tags-and-folders.ts";

interface TagsFilterProps {
  workspace: string;
  ids: readonly string[];
  /** The names of the chosen tags. */
  known: readonly NamedOption[];
  onIds: (ids: string[]) => void;
}

/** Several tags; a link matches with one of them. The list stays open while tags are chosen. */
export function TagsFilter({ workspace, ids, known, onIds }: TagsFilterProps) {
  const t = useTranslations("links");
  const locale = useLocale();
  // Chosen a moment ago: their names arrive with the next page.
  const [picked, setPicked] = useState<readonly NamedOption[]>([]);
  const nameOf = (id: string) =>
    [...known, ...picked].find((one) => one.id === id)?.name ?? t("unknownTag");
  const names = new Intl.ListFormat(locale, { type: "disjunction" }).format(ids.map(nameOf));
  const isOn = (id: string) => ids.includes(id);
  return (
    <Field label={t("tag")}>
      {(control) => (
        <Popover>
          <PopoverTrigger asChild>
            <button
              type="button"
              {...control}
              className={classNames(
                fieldClass,
                "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
              )}
            >
              <span className="truncate">{ids.length > 0 ? names : t("anyTag")}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            </button>
          </PopoverTrigger>
          <PopoverContent aria-label={t("tag")} align="start" className="p-0">
            <NamePicker
              label={t("tag")}
              read={(search) => readTags(workspace, search)}
              first={{ id: anyTag, name: t("anyTag") }}
              markOf={(id) => ((id === anyTag ? ids.length === 0 : isOn(id)) ? "all" : "none")}
              onPick={(named) => {
                if (named.id === anyTag) return onIds([]);
                setPicked([...picked, named]);
                onIds(isOn(named.id) ? ids.filter((id) => id !== named.id) : [...ids, named.id]);
              }}
            />
          </PopoverContent>
        </Popover>
      )}
    </Field>
  );
}

/** No tag has this id. */
const anyTag = "any";
