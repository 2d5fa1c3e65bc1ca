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
  type LabelSheet,
  moduleMillimetersAdvised,
  partsOf,
  type Template,
  textPlaces,
} from "#lib/outreach/qr-templates/schema";
import { InputField } from "../ui/labeled.tsx";
import { LabelPreview } from "./label-preview.tsx";
import {
  contentOf,
  firstSettings,
  type LabelSettings,
  readSheet,
  readStart,
  requestOf,
} from "./label-settings.ts";
import { LabelSheetFields } from "./label-sheet-fields.tsx";
import { ApiError, readLabels, saveFile } from "./qr-calls.ts";
import { ownDesign } from "./template-bar.tsx";
import { TemplateField } from "./template-field.tsx";

/** None: each link has its own design. */
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
