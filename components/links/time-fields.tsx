"use client";

import { X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { dayMs } from "#lib/basics/time/schema";
import { InputField } from "../ui/labeled.tsx";
import type { TimeDraft } from "./link-draft.ts";
import { mondayUtc } from "./week.ts";

interface TimeFieldsProps {
  time: TimeDraft;
  errorOf: (name: string) => string | undefined;
  onChange: (time: TimeDraft | null) => void;
}

/** Hours of some days, in a zone. */
export function TimeFields({ time, errorOf, onChange }: TimeFieldsProps) {
  const t = useTranslations("linkForm.time");
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const long = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const days = ["1", "2", "3", "4", "5", "6", "7"];
  const toggle = (day: string) =>
    time.days.includes(day) ? time.days.filter((one) => one !== day) : [...time.days, day];
  return (
    <fieldset className="grid gap-3">
      <div className="flex items-center justify-between">
        <legend className="font-medium text-sm">{t("label")}</legend>
        <Button variant="ghost" size="icon" aria-label={t("remove")} onClick={() => onChange(null)}>
          <X aria-hidden />
        </Button>
      </div>
      <div className="flex flex-wrap gap-1">
        {days.map((day, at) => (
          <button
            key={day}
            type="button"
            aria-label={long.format(mondayUtc + at * dayMs)}
            aria-pressed={time.days.includes(day)}
            onClick={() => onChange({ ...time, days: toggle(day) })}
            className={classNames(
              "h-7 min-w-10 rounded-md border px-1.5 text-sm pointer-coarse:h-10",
              time.days.includes(day)
                ? "border-accent bg-accent-soft text-ink"
                : "border-line text-ink-muted hover:bg-hover",
            )}
          >
            {names.format(mondayUtc + at * dayMs)}
          </button>
        ))}
      </div>
      {time.days.length === 0 ? <p className="text-ink-muted text-sm">{t("everyDay")}</p> : null}
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_2fr]">
        {(["from", "until"] as const).map((name) => (
          <InputField
            key={name}
            label={t(name)}
            error={errorOf(`time.${name}`)}
            type="time"
            value={time[name]}
            onChange={({ target }) => onChange({ ...time, [name]: target.value })}
          />
        ))}
        <InputField
          label={t("zone")}
          error={errorOf("time.zone")}
          outerClass="max-sm:col-span-2"
          list="fuxi-zones"
          autoComplete="off"
          value={time.zone}
          onChange={({ target }) => onChange({ ...time, zone: target.value })}
        />
      </div>
      <datalist id="fuxi-zones">
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </fieldset>
  );
}
