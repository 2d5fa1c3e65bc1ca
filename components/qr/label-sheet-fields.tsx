"use client";

import { useFormatter, useTranslations } from "next-intl";
import { labelPresets, type PageName, presetNames } from "#lib/outreach/qr-templates/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import {
  type LabelSettings,
  limitsOf,
  type MeasureName,
  measureNames,
  measuresOf,
  type ReadSheet,
} from "./label-settings.ts";

interface SheetFieldsProps {
  settings: LabelSettings;
  read: ReadSheet;
  onChange: (change: Partial<LabelSettings>) => void;
}

/** The sheet: one of those that are sold, or its measures. */
export function LabelSheetFields({ settings, read, onChange }: SheetFieldsProps) {
  const t = useTranslations("qrLabels");
  const { preset, page, measures } = settings;

  function choose(value: string) {
    const name = presetNames.find((one) => one === value);
    if (name) onChange({ preset: name });
    // The measures of the sheet before are where to start from.
    else if (preset !== "custom") {
      const sheet = labelPresets[preset];
      onChange({ preset: "custom", page: sheet.page, measures: measuresOf(sheet) });
    }
  }

  return (
    <>
      <SelectField
        label={t("sheet")}
        error={read.problem ? t(`problems.${read.problem}`) : undefined}
        value={preset}
        onValueChange={choose}
        options={[
          ...presetNames.map((name) => ({ value: name, label: <PresetName name={name} /> })),
          { value: "custom", label: t("custom") },
        ]}
      />
      {preset === "custom" ? (
        <>
          <SelectField
            label={t("page")}
            value={page}
            onValueChange={(value) => onChange({ page: value === "letter" ? "letter" : "a4" })}
            options={pageNames.map((name) => ({ value: name, label: t(`pages.${name}`) }))}
          />
          <div className="grid grid-cols-2 gap-3">
            {measureNames.map((name) => (
              <MeasureField
                key={name}
                name={name}
                value={measures[name]}
                invalid={read.invalid.includes(name)}
                onValueChange={(text) => onChange({ measures: { ...measures, [name]: text } })}
              />
            ))}
          </div>
        </>
      ) : null}
    </>
  );
}

const pageNames: readonly PageName[] = ["a4", "letter"];

function PresetName({ name }: { name: (typeof presetNames)[number] }) {
  const t = useTranslations("qrLabels");
  const format = useFormatter();
  const { page, columns, rows, labelWidth, labelHeight, product } = labelPresets[name];
  const millimeters = (value: number) => format.number(value, { maximumFractionDigits: 1 });
  return t("preset", {
    page: t(`pages.${page}`),
    columns,
    rows,
    width: millimeters(labelWidth),
    height: millimeters(labelHeight),
    product,
  });
}

interface MeasureFieldProps {
  name: MeasureName;
  value: string;
  invalid: boolean;
  onValueChange: (text: string) => void;
}

function MeasureField({ name, value, invalid, onValueChange }: MeasureFieldProps) {
  const t = useTranslations("qrLabels");
  const format = useFormatter();
  const { min, max } = limitsOf(name);
  const limits = { min: format.number(min), max: format.number(max) };
  return (
    <InputField
      label={t(`measures.${name}`)}
      error={invalid ? t("range", limits) : undefined}
      inputMode="decimal"
      autoComplete="off"
      maxLength={8}
      value={value}
      onChange={({ target }) => onValueChange(target.value)}
    />
  );
}
