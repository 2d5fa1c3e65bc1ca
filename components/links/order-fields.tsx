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
import type { PartProps } from "./form-fields.tsx";

interface OrderFieldProps extends PartProps {
  workspace: string;
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

export function TagsField({ workspace, draft, change, errorOf }: OrderFieldProps) {
  const t = useTranslations("linkForm.tagWords");
  const common = useTranslations("common");
  const tags = useList<Tag>(workspace, "/tags", tagShape);
  if (tags?.length === 0 && draft.tagIds.length === 0) return null;
  return (
    <Field label={t("label")} optional={common("optional")} error={errorOf("tagIds")}>
      {(control) => (
        <ValuesField
          control={control}
          options={(tags ?? []).map(({ id, name, color }) => ({
            value: id,
            label: name,
            tone: color,
          }))}
          values={draft.tagIds}
          onValues={(tagIds) => change({ tagIds })}
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

export function FolderField({ workspace, draft, change, errorOf }: OrderFieldProps) {
  const t = useTranslations("linkForm.folderWords");
  const common = useTranslations("common");
  const folders = useList<Folder>(workspace, "/folders", folderShape);
  if (!folders || (folders.length === 0 && draft.folderId === "")) return null;
  return (
    <Field label={t("label")} optional={common("optional")} error={errorOf("folderId")}>
      {(control) => (
        <Select
          {...control}
          options={[
            { value: noFolder, label: t("none") },
            ...folders.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={draft.folderId || noFolder}
          onValueChange={(id) => change({ folderId: id === noFolder ? "" : id })}
        />
      )}
    </Field>
  );
}
