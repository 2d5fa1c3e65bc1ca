"use client";

import { useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import { type Preset, presetDays } from "#lib/basics/time/schema";
import { InputField } from "../ui/labeled.tsx";
import type { PartProps } from "./form-fields.tsx";
import type { LinkDraft } from "./link-draft.ts";

interface TimeFieldProps extends PartProps {
  name: "startsAt" | "expiresAt" | "retiresAt" | "testStartedAt" | "testCompletedAt";
  label: string;
  presets: readonly Preset[];
  time: "00:00" | "23:59";
}

export function TimeField({ draft, change, errorOf, name, label, presets, time }: TimeFieldProps) {
  const t = useTranslations("linkForm.presets");
  const days = presetDays(draft.zone, Date.now());
  return (
    <div className="grid content-start gap-2">
      <InputField
        label={label}
        error={errorOf(name)}
        type="datetime-local"
        autoComplete="off"
        value={draft[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced with each field of the form */}
      <div role="group" aria-label={t("label", { field: label })} className="flex flex-wrap gap-1">
        {presets.map((preset) => {
          const value = `${days[preset]}T${time}`;
          const isChosen = draft[name] === value;
          return (
            <button
              key={preset}
              type="button"
              aria-pressed={isChosen}
              onClick={() => change({ [name]: isChosen ? "" : value })}
              className={classNames(
                "h-7 rounded-md border px-2 text-sm pointer-coarse:h-10",
                isChosen
                  ? "border-accent bg-accent-soft text-ink"
                  : "border-line text-ink-muted hover:bg-hover",
              )}
            >
              {t(preset)}
            </button>
          );
        })}
      </div>
    </div>
  );
}

export function ZoneNote({ zone }: Pick<LinkDraft, "zone">) {
  const t = useTranslations("linkForm.presets");
  return <p className="text-ink-muted text-sm">{t("zone", { zone })}</p>;
}
