"use client";

import { Download } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { Choice } from "#components/ui/choice";
import { DialogActions } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import {
  type LabelContent,
  type LabelSheet,
  labelPresets,
  moduleMillimetersAdvised,
  type PageName,
  pageSizes,
  partsOf,
  placesOf,
  presetNames,
  type Template,
  textPlaces,
} from "#lib/outreach/qr-templates/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import {
  contentOf,
  firstSettings,
  type LabelSettings,
  limitsOf,
  type MeasureName,
  measureNames,
  measuresOf,
  type ReadSheet,
  readSheet,
  readStart,
  requestOf,
} from "./label-settings.ts";
import { ApiError, readLabels, saveFile } from "./qr-calls.ts";
import { ownDesign } from "./template-bar.tsx";
import { TemplateField } from "./template-field.tsx";

function chosenTemplate(form: HTMLFormElement): { template?: string } {
  const template = String(new FormData(form).get("template"));
  return template === ownDesign ? {} : { template };
}

interface LabelsFormProps {
  workspace: string;
  linkIds: readonly string[];
  templates: readonly Template[];
  onDone: () => void;
}

export function LabelsForm({ workspace, linkIds, templates, onDone }: LabelsFormProps) {
  const t = useTranslations("qrLabels");
  const [settings, setSettings] = useState(firstSettings);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const read = readSheet(settings);
  const startAt = read.sheet && readStart(settings, read.sheet);
  const change = (more: Partial<LabelSettings>) => {
    setError(undefined);
    setSettings((before) => ({ ...before, ...more }));
  };

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!read.sheet || startAt === undefined) return;
    const chosen = chosenTemplate(event.currentTarget);
    setPending(true);
    try {
      const labels = await readLabels(workspace, {
        linkIds: [...linkIds],
        startAt,
        ...chosen,
        ...requestOf(settings, read.sheet),
      });
      saveFile(labels.file, "fuxi-labels.pdf");
      if (labels.moduleMillimeters < moduleMillimetersAdvised) toast.warning(t("small"));
      onDone();
    } catch (thrown) {
      setError(t(isTooSmall(thrown) ? "tooSmall" : "notCreated"));
    } finally {
      setPending(false);
    }
  }

  return (
    <form onSubmit={submit} className="grid gap-5 sm:grid-cols-[1fr_14rem]">
      <div className="grid content-start gap-4">
        <LabelSheetFields settings={settings} read={read} onChange={change} />
        <TemplateField templates={templates} />
        <ContentFields settings={settings} onChange={change} />
        <InputField
          label={t("startAt")}
          hint={t("startAtHint")}
          error={
            read.sheet && startAt === undefined
              ? t("startAtInvalid", { max: read.sheet.columns * read.sheet.rows })
              : undefined
          }
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          value={settings.startAt}
          onChange={({ target }) => change({ startAt: target.value })}
        />
      </div>
      <div className="grid content-start gap-2 max-sm:mx-auto max-sm:w-48">
        {read.sheet ? (
          <Sheet
            settings={settings}
            sheet={read.sheet}
            startAt={startAt ?? 1}
            count={linkIds.length}
          />
        ) : null}
      </div>
      <div className="grid gap-3 sm:col-span-2">
        <FormError>{error}</FormError>
        <DialogActions>
          <Button type="submit" variant="solid" pending={pending} disabled={startAt === undefined}>
            <Download aria-hidden />
            {t("download")}
          </Button>
        </DialogActions>
      </div>
    </form>
  );
}

function isTooSmall(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === "label_too_small";
}

interface ContentFieldsProps {
  settings: LabelSettings;
  onChange: (change: Partial<LabelSettings>) => void;
}

function ContentFields({ settings, onChange }: ContentFieldsProps) {
  const t = useTranslations("qrLabels");
  const { shortLink, title, textPlace, cutMarks } = settings;
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">{t("content")}</legend>
        <Checkbox
          label={t("shortLink")}
          checked={shortLink}
          onCheckedChange={(checked) => onChange({ shortLink: checked === true })}
        />
        <Checkbox
          label={t("linkTitle")}
          checked={title}
          onCheckedChange={(checked) => onChange({ title: checked === true })}
        />
        <Checkbox
          label={t("cutMarks")}
          checked={cutMarks}
          onCheckedChange={(checked) => onChange({ cutMarks: checked === true })}
        />
      </fieldset>
      <Choice
        label={t("textPlace")}
        name="text-place"
        value={textPlace}
        disabled={!(shortLink || title)}
        onValueChange={(value) => onChange({ textPlace: value })}
        options={(["automatic", ...textPlaces] as const).map((value) => ({
          value,
          label: t(`textPlaces.${value}`),
        }))}
      />
    </>
  );
}

interface SheetProps {
  settings: LabelSettings;
  sheet: LabelSheet;
  startAt: number;
  count: number;
}

function Sheet({ settings, sheet, startAt, count }: SheetProps) {
  const t = useTranslations("qrLabels");
  const format = useFormatter();
  const content = contentOf(settings);
  const sheets = Math.ceil((startAt - 1 + count) / (sheet.columns * sheet.rows));
  const side = partsOf(sheet, content).code.width;
  const millimeters = format.number(side, { maximumFractionDigits: 1 });
  return (
    <>
      <LabelPreview
        label={t("preview")}
        sheet={sheet}
        content={content}
        startAt={startAt}
        count={count}
      />
      <p className="text-ink-muted text-sm">{t("sheets", { count, sheets })}</p>
      <p className="text-ink-muted text-sm">{t("codeSize", { millimeters })}</p>
    </>
  );
}

interface LabelPreviewProps {
  label: string;
  sheet: LabelSheet;
  content: LabelContent;
  startAt: number;
  count: number;
}

function LabelPreview({ label, sheet, content, startAt, count }: LabelPreviewProps) {
  const { width, height } = pageSizes[sheet.page];
  const { code, text } = partsOf(sheet, content);
  const lines = text ? [content.shortLink, content.title].filter(Boolean).length : 0;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      className="w-full rounded-md border border-line bg-white"
    >
      {placesOf(sheet).map((place, at) => {
        const printed = at >= startAt - 1 && at < startAt - 1 + count;
        return (
          <g key={`${place.x} ${place.y}`} transform={`translate(${place.x} ${place.y})`}>
            <rect
              width={place.width}
              height={place.height}
              rx={1}
              fill="none"
              stroke={printed ? "#64748b" : "#cbd5e1"}
              strokeWidth={0.4}
              {...(printed ? {} : { strokeDasharray: "1.5 1.5" })}
            />
            {printed ? (
              <>
                <rect {...code} fill="#1e293b" />
                {text
                  ? Array.from({ length: lines }, (_, line) => (
                      <rect
                        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
                        key={line}
                        x={text.x + (text.place === "below" ? text.width * 0.15 : 0)}
                        y={lineTop(text, lines, line)}
                        width={text.width * 0.7}
                        height={text.size * 0.6}
                        fill="#94a3b8"
                      />
                    ))
                  : null}
              </>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

function lineTop(
  { y, height, size, place }: { y: number; height: number; size: number; place: string },
  lines: number,
  line: number,
): number {
  const step = size * 1.25;
  const top = place === "below" ? y : y + (height - lines * step) / 2;
  return top + line * step + size * 0.3;
}

interface SheetFieldsProps {
  settings: LabelSettings;
  read: ReadSheet;
  onChange: (change: Partial<LabelSettings>) => void;
}

function LabelSheetFields({ settings, read, onChange }: SheetFieldsProps) {
  const t = useTranslations("qrLabels");
  const { preset, page, measures } = settings;

  function choose(value: string) {
    const name = presetNames.find((one) => one === value);
    if (name) onChange({ preset: name });
    // A custom sheet starts with the measures of the previous one.
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
