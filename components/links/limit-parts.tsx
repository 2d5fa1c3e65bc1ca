"use client";

import { useTranslations } from "next-intl";
import { presets } from "#lib/basics/time/schema";
import { CollapsiblePart, type Controls, type PartProps, TextField } from "./form-fields.tsx";
import { RetirementFields } from "./retirement-fields.tsx";
import { TimeField, ZoneNote } from "./time-field.tsx";

export function PasswordPart({ isSet, ...part }: PartProps & { isSet: boolean }) {
  const t = useTranslations("linkForm.password");
  return (
    <CollapsiblePart
      {...part}
      part="password"
      capability="passwords"
      label={t("label")}
      hint={t("hint")}
    >
      <TextField
        {...part}
        name="password"
        label={t("field")}
        autoComplete="new-password"
        {...(isSet ? { hint: t("kept") } : {})}
      />
    </CollapsiblePart>
  );
}

export function SchedulePart({ linkId, ...part }: PartProps & { linkId: string }) {
  const t = useTranslations("linkForm.schedule");
  const common = useTranslations("common");
  const optional = common("optional");
  const controls: Controls<"schedule"> = {
    startsAt: (
      <TimeField
        {...part}
        name="startsAt"
        label={t("startsAt")}
        presets={["tomorrow", "week", "month"]}
        time="00:00"
      />
    ),
    expiresAt: (
      <TimeField {...part} name="expiresAt" label={t("expiresAt")} presets={presets} time="23:59" />
    ),
    maxClicks: (
      <TextField
        {...part}
        name="maxClicks"
        inputMode="numeric"
        label={t("maxClicks")}
        hint={t("maxClicksHint")}
        optional={optional}
      />
    ),
    expiredUrl: (
      <TextField
        {...part}
        name="expiredUrl"
        inputMode="url"
        label={t("expiredUrl")}
        hint={t("expiredUrlHint")}
        optional={optional}
      />
    ),
  };
  return (
    <CollapsiblePart {...part} part="schedule" label={t("label")} hint={t("hint")}>
      <div className="grid gap-3 sm:grid-cols-2">
        {controls.startsAt}
        {controls.expiresAt}
      </div>
      <ZoneNote zone={part.draft.zone} />
      {controls.maxClicks}
      {controls.expiredUrl}
      <RetirementFields {...part} linkId={linkId} />
    </CollapsiblePart>
  );
}
