"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { NamePicker } from "./name-picker.tsx";
import type { NamedOption } from "./names.ts";
import { PickerField } from "./picker-field.tsx";
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
  const t = useTranslations("linkFilters");
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  // Chosen a moment ago: their names arrive with the next page.
  const [picked, setPicked] = useState<readonly NamedOption[]>([]);
  const nameOf = (id: string) =>
    [...known, ...picked].find((one) => one.id === id)?.name ?? t("unknownTag");
  const names = new Intl.ListFormat(locale, { type: "disjunction" }).format(ids.map(nameOf));
  const isOn = (id: string) => ids.includes(id);
  return (
    <PickerField
      label={t("tag")}
      text={ids.length > 0 ? names : t("anyTag")}
      open={open}
      onOpenChange={setOpen}
    >
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
    </PickerField>
  );
}

/** No tag has this id. */
const anyTag = "any";
