"use client";

import { Tag as TagIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type NamedActions, NamedManager, useLinkCount } from "#components/named/named-manager";
import { Badge } from "#components/ui/badge";
import { type Tag, tagColors } from "#lib/links/tags/schema";
import { SelectField } from "../ui/labeled.tsx";

export interface ListedTag extends Tag {
  links: number;
}

interface TagManagerProps {
  tags: readonly ListedTag[];
  countedMax: number;
  search: string;
  actions: NamedActions | null;
}

export function TagManager({ tags, countedMax, search, actions }: TagManagerProps) {
  const t = useTranslations("tags");
  const counted = useLinkCount(countedMax);
  // A new tag starts with the next color.
  const next = tagColors[tags.length % tagColors.length] ?? "red";
  return (
    <NamedManager
      messages="tags"
      icon={<TagIcon aria-hidden />}
      things={tags}
      search={{
        text: search,
        label: t("search"),
        nothingTitle: t("nothingTitle"),
        nothingText: t("nothingText", { search }),
      }}
      columns={[
        {
          heading: t("columnName"),
          headClass: "w-full",
          cell: ({ name, color }) => (
            <Badge tone={color} className="max-w-44 sm:max-w-80">
              {name}
            </Badge>
          ),
        },
        {
          heading: t("columnLinks"),
          headClass: "text-right",
          cellClass: "text-right text-ink-muted tabular-nums",
          cell: ({ links }) => counted(links),
        },
      ]}
      loss={({ links }) => t("deleteText", { links: counted(links) })}
      nameHint={t("nameHint")}
      fields={(tag, { typed }) => (
        <SelectField
          label={t("color")}
          name="color"
          defaultValue={typed("color", tag?.color ?? next)}
          options={tagColors.map((value) => ({
            value,
            label: <Badge tone={value}>{t(`colors.${value}`)}</Badge>,
          }))}
        />
      )}
      actions={actions}
    />
  );
}
