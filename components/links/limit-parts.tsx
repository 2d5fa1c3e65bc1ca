"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { runAction } from "#components/forms/form";
import { SelectField } from "#components/ui/labeled";
import { presets } from "#lib/basics/time/schema";
import { useLinkCreator } from "./creator-context.ts";
import { CollapsiblePart, type Controls, type PartProps, TextField } from "./form-fields.tsx";
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

const followed = "default";
const choices = [followed, "never", "date"] as const;

/** When the link retires, and what the workspace’s rules would do. */
function RetirementFields({ linkId, ...part }: PartProps & { linkId: string }) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.retirement");
  const byRule = useDefaultText(linkId, draft.zone);
  const isDate = draft.retirement === "date";
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <SelectField
        label={t("label")}
        hint={byRule}
        error={isDate ? undefined : errorOf("retiresAt")}
        options={choices.map((value) => ({ value, label: t(`choices.${value}`) }))}
        value={draft.retirement || followed}
        onValueChange={(value) =>
          change({ retirement: value === "never" || value === "date" ? value : "" })
        }
      />
      {isDate ? (
        <TimeField
          {...part}
          name="retiresAt"
          label={t("retiresAt")}
          presets={["month", "monthEnd"]}
          time="23:59"
        />
      ) : null}
    </div>
  );
}

/** The workspace’s default. Undefined until it is loaded, because the fields work without it. */
function useDefaultText(linkId: string, zone: string): string | undefined {
  const t = useTranslations("linkForm.retirement");
  const format = useFormatter();
  const { readRetirementDefault } = useLinkCreator();
  const [known, setKnown] = useState<{ retiresAt: string | null; movesWithVisits: boolean }>();
  useEffect(() => {
    let isShown = true;
    if (!readRetirementDefault) return;
    void runAction(() => readRetirementDefault(linkId)).then((answer) => {
      if (isShown && answer.ok) setKnown(answer.done);
    });
    return () => {
      isShown = false;
    };
  }, [linkId, readRetirementDefault]);
  if (!known) return undefined;
  if (known.retiresAt === null) return t("byRuleNever");
  const date = format.dateTime(new Date(known.retiresAt), { dateStyle: "medium", timeZone: zone });
  return t(known.movesWithVisits ? "byRuleUnlessVisited" : "byRule", { date });
}
