"use client";

import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { type FormDraft, presetNames, presetOf } from "./form-draft.ts";

interface FormPresetsProps {
  onPreset: (changes: Partial<FormDraft>) => void;
}

/** Starting points of a new form, in the language of the dashboard. */
export function FormPresets({ onPreset }: FormPresetsProps) {
  const t = useTranslations("forms.presets");
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{t("heading")}</legend>
      <div className="flex flex-wrap gap-2">
        {presetNames.map((name) => (
          <Button
            key={name}
            onClick={() =>
              onPreset(
                presetOf(name, {
                  title: t(`${name}.title`),
                  text: t(`${name}.text`),
                  button: t(`${name}.button`),
                  label: name === "age" || name === "terms" ? t(`${name}.label`) : "",
                }),
              )
            }
          >
            {t(`${name}.name`)}
          </Button>
        ))}
      </div>
      <p className="text-ink-muted text-sm">{t("hint")}</p>
    </fieldset>
  );
}
