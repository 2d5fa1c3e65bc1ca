"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCountryOptions } from "#components/forms/countries.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { Switch } from "#components/ui/switch";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { type ColumnDraft, columnProblem, nextOf } from "./campaign-draft.ts";
import type { CampaignPartProps } from "./form-parts.ts";

/** What is known about each recipient. */
export function ColumnsPart({ draft, change, errorOf }: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  const countries = useCountryOptions();
  const { columns } = draft;
  const put = (id: number, changes: Partial<ColumnDraft>) =>
    change({ columns: columns.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  return (
    <Card heading={t("columns")} note={t("columnsNote")}>
      <SelectField
        label={t("defaultCountry")}
        hint={t("defaultCountryHint")}
        error={errorOf("defaultCountry")}
        options={countries}
        value={draft.defaultCountry}
        onValueChange={(defaultCountry) => change({ defaultCountry })}
      />
      {columns.map((column, at) => (
        <ColumnRow
          key={column.id}
          column={column}
          columns={columns}
          error={errorOf(`columns.${at}.name`)}
          onChange={(changes) => put(column.id, changes)}
          onRemove={() => change({ columns: columns.filter(({ id }) => id !== column.id) })}
        />
      ))}
      <FormError>{errorOf("columns")}</FormError>
      <Button
        className="justify-self-start"
        onClick={() =>
          change({ columns: [...columns, { id: nextOf(columns), name: "", personal: true }] })
        }
      >
        <Plus aria-hidden />
        {t("addColumn")}
      </Button>
    </Card>
  );
}

interface ColumnRowProps {
  column: ColumnDraft;
  columns: readonly ColumnDraft[];
  error: string | undefined;
  onChange: (changes: Partial<ColumnDraft>) => void;
  onRemove: () => void;
}

function ColumnRow({ column, columns, error, onChange, onRemove }: ColumnRowProps) {
  const t = useTranslations("campaignForm");
  const problem = columnProblem(columns, column);
  return (
    <fieldset className="grid gap-3 rounded-lg border border-line p-3 sm:grid-cols-2">
      <legend className="sr-only">{t("column", { name: column.name })}</legend>
      <div className="flex items-start gap-2">
        <InputField
          label={t("columnName")}
          error={problem ? t(`columnProblems.${problem}`) : error}
          outerClass="flex-1"
          autoComplete="off"
          value={column.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Button
          variant="ghost"
          size="icon"
          className="mt-7"
          aria-label={t("removeColumn", { name: column.name })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      <Switch
        label={t("personal")}
        hint={t("personalHint")}
        checked={column.personal}
        onCheckedChange={(personal) => onChange({ personal })}
      />
    </fieldset>
  );
}
