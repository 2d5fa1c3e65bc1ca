"use client";

import { useTranslations } from "next-intl";
import { Switch } from "#components/ui/switch";
import type { RecipientSource, SourceMapping, SourcePreview } from "#lib/outreach/sources/schema";
import { SelectField } from "../ui/labeled.tsx";
import { requiredColumns } from "./campaign-draft.ts";
import type { SourcePartProps } from "./source-part.ts";

const noColumn = "none";
const emptyMapping: SourceMapping = { phone: null, messageId: null, columns: {} };

interface SourceColumnsProps extends Pick<SourcePartProps, "campaign"> {
  source: RecipientSource;
  columns: SourcePreview["columns"];
  onChange: (settings: { heading?: boolean; mapping?: SourceMapping }) => void;
}

/** Which column of the file is what. */
export function SourceColumns({ campaign, source, columns, onChange }: SourceColumnsProps) {
  const t = useTranslations("recipients");
  const mapping = source.mapping ?? emptyMapping;
  const names = campaign.columns.map(({ name }) => name);
  const required = new Set(
    campaign.variants.flatMap(({ template }) => requiredColumns(template, names)),
  );
  const options = columns.map(({ name, samples }, at) => ({
    value: String(at),
    label: [name || t("columnNumber", { number: at + 1 }), samples[0]].filter(Boolean).join(" · "),
  }));
  const fields = [
    { key: "phone", label: t("phone"), at: mapping.phone, hint: undefined },
    ...names.map((name) => ({
      key: `column ${name}`,
      label: name,
      at: mapping.columns[name] ?? null,
      hint: required.has(name) && mapping.columns[name] === undefined ? t("needed") : undefined,
    })),
    { key: "messageId", label: t("messageId"), at: mapping.messageId, hint: t("messageIdHint") },
  ];
  function choose(key: string, at: number | null) {
    if (key === "phone" || key === "messageId")
      return onChange({ mapping: { ...mapping, [key]: at } });
    const { [key.slice("column ".length)]: _before, ...rest } = mapping.columns;
    const chosen = at === null ? {} : { [key.slice("column ".length)]: at };
    onChange({ mapping: { ...mapping, columns: { ...rest, ...chosen } } });
  }
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">{t("columns")}</legend>
      <Switch
        label={t("heading")}
        checked={source.heading}
        disabled={source.rows + (source.heading ? 1 : 0) < 2}
        onCheckedChange={(heading) => onChange({ heading })}
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map(({ key, label, at, hint }) => (
          <SelectField
            key={key}
            label={label}
            outerClass="content-start"
            {...(hint ? { hint } : {})}
            options={[{ value: noColumn, label: t("noColumn") }, ...options]}
            value={at === null ? noColumn : String(at)}
            onValueChange={(value) => choose(key, value === noColumn ? null : Number(value))}
          />
        ))}
      </div>
    </fieldset>
  );
}
