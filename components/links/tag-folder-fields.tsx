"use client";

import { useTranslations } from "next-intl";
import { Field } from "#components/ui/field";
import { ValueAdder, ValueChip } from "#components/ui/values-field";
import { NameField } from "./name-field.tsx";
import { NamePicker } from "./name-picker.tsx";
import {
  makeFolder,
  makeTag,
  readFolders,
  readFoldersOf,
  readTags,
  readTagsOf,
} from "./tags-and-folders.ts";
import { useNamesOf } from "./use-names.ts";

interface OrderFieldProps {
  workspace: string;
  error?: string | undefined;
}

interface TagsFieldProps extends OrderFieldProps {
  tagIds: readonly string[];
  onTagIds: (tagIds: string[]) => void;
}

export function TagsField({ workspace, tagIds, onTagIds, error }: TagsFieldProps) {
  const t = useTranslations("linkForm.tagWords");
  const common = useTranslations("common");
  const { nameOf, learn } = useNamesOf(tagIds, (ids) => readTagsOf(workspace, ids));
  const without = (id: string) => tagIds.filter((one) => one !== id);
  return (
    <Field label={t("label")} optional={common("optional")} error={error}>
      {(control) => (
        <div className="flex min-h-9 flex-wrap items-center gap-1.5">
          {tagIds.map(nameOf).map(({ id, name, color = "gray" }) => (
            <ValueChip
              key={id}
              label={name}
              tone={color}
              remove={t("remove", { name })}
              onRemove={() => onTagIds(without(id))}
            />
          ))}
          <ValueAdder control={control} label={t("add")} list={t("label")}>
            <NamePicker
              label={t("search")}
              read={(search) => readTags(workspace, search)}
              markOf={(id) => (tagIds.includes(id) ? "all" : "none")}
              onPick={(tag) => {
                learn(tag);
                onTagIds(tagIds.includes(tag.id) ? without(tag.id) : [...tagIds, tag.id]);
              }}
              make={(name) => makeTag(workspace, name)}
            />
          </ValueAdder>
        </div>
      )}
    </Field>
  );
}

interface FolderFieldProps extends OrderFieldProps {
  folderId: string;
  onFolderId: (folderId: string) => void;
}

export function FolderField({ workspace, folderId, onFolderId, error }: FolderFieldProps) {
  const t = useTranslations("linkForm.folderWords");
  const common = useTranslations("common");
  const ids = folderId ? [folderId] : [];
  const { nameOf, learn } = useNamesOf(ids, (requestedIds) =>
    readFoldersOf(workspace, requestedIds),
  );
  return (
    <NameField
      label={t("label")}
      optional={common("optional")}
      error={error}
      any={t("none")}
      chosen={folderId ? nameOf(folderId) : undefined}
      read={(search) => readFolders(workspace, search)}
      onChoose={(id, folder) => {
        if (folder) learn(folder);
        onFolderId(id);
      }}
      make={(name) => makeFolder(workspace, name)}
    />
  );
}
