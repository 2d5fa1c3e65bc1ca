"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { Field } from "../ui/field.tsx";
import { ValueAdder, ValueChip } from "../ui/values-field.tsx";
import { NameField } from "./name-field.tsx";
import { NamePicker } from "./name-picker.tsx";
import type { NamedOption } from "./names.ts";
import {
  makeFolder,
  makeTag,
  readFolders,
  readFoldersOf,
  readTags,
  readTagsOf,
} from "./tags-and-folders.ts";

interface OrderFieldProps {
  workspace: string;
  error?: string | undefined;
}

/** The names of a draft's ids. Deleted objects are shown by id. */
function useNamesOf(ids: readonly string[], read: (ids: string[]) => Promise<NamedOption[]>) {
  const [known, setKnown] = useState<ReadonlyMap<string, NamedOption>>(new Map());
  const load = useEffectEvent(read);
  const unknown = ids.filter((id) => !known.has(id)).join(",");
  useEffect(() => {
    if (unknown === "") return;
    let stale = false;
    const requestedIds = unknown.split(",");
    const keep = (found: readonly NamedOption[]) => {
      if (stale) return;
      const all = [...requestedIds.map((id) => ({ id, name: id })), ...found];
      setKnown((before) => new Map([...before, ...all.map((one) => [one.id, one] as const)]));
    };
    load(requestedIds).then(keep, () => keep([]));
    return () => {
      stale = true;
    };
  }, [unknown]);
  const learn = (named: NamedOption) => setKnown((before) => new Map(before).set(named.id, named));
  return { nameOf: (id: string): NamedOption => known.get(id) ?? { id, name: "…" }, learn };
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
  /** Empty: none. */
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
