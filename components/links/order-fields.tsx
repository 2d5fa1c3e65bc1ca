"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { z } from "zod";
import { type Folder, folderShape } from "#lib/folders/schema";
import { type Tag, tagShape } from "#lib/tags/schema";
import { ask } from "../forms/ask.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { ValuesField } from "../ui/values-field.tsx";

interface OrderFieldProps {
  workspace: string;
  error?: string | undefined;
}

/** Reads a list of the workspace once, when its field is first shown. */
function useList<One>(workspace: string, path: string, shape: z.ZodType<One>): One[] | undefined {
  const [list, setList] = useState<One[]>();
  useEffect(() => {
    const abort = new AbortController();
    void ask({ workspace, path, signal: abort.signal })
      .then(async (response) => setList(z.array(shape).parse(await response.json())))
      .catch(() => {
        if (!abort.signal.aborted) setList([]);
      });
    return () => abort.abort();
  }, [workspace, path, shape]);
  return list;
}

interface TagsFieldProps extends OrderFieldProps {
  tagIds: readonly string[];
  onTagIds: (tagIds: string[]) => void;
}

export function TagsField({ workspace, tagIds, onTagIds, error }: TagsFieldProps) {
  const t = useTranslations("linkForm.tagWords");
  const common = useTranslations("common");
  const tags = useList<Tag>(workspace, "/tags", tagShape);
  if (tags?.length === 0 && tagIds.length === 0) return null;
  return (
    <Field label={t("label")} optional={common("optional")} error={error}>
      {(control) => (
        <ValuesField
          control={control}
          options={(tags ?? []).map(({ id, name, color }) => ({
            value: id,
            label: name,
            tone: color,
          }))}
          values={tagIds}
          onValues={onTagIds}
          words={{
            list: t("label"),
            add: t("add"),
            search: t("search"),
            nothing: t("nothing"),
            remove: (name) => t("remove", { name }),
          }}
        />
      )}
    </Field>
  );
}

const noFolder = "none";

interface FolderFieldProps extends OrderFieldProps {
  /** Empty: none. */
  folderId: string;
  onFolderId: (folderId: string) => void;
}

export function FolderField({ workspace, folderId, onFolderId, error }: FolderFieldProps) {
  const t = useTranslations("linkForm.folderWords");
  const common = useTranslations("common");
  const folders = useList<Folder>(workspace, "/folders", folderShape);
  if (!folders || (folders.length === 0 && folderId === "")) return null;
  return (
    <Field label={t("label")} optional={common("optional")} error={error}>
      {(control) => (
        <Select
          {...control}
          options={[
            { value: noFolder, label: t("none") },
            ...folders.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={folderId || noFolder}
          onValueChange={(id) => onFolderId(id === noFolder ? "" : id)}
        />
      )}
    </Field>
  );
}
