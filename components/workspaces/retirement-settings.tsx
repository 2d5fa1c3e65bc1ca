"use client";

import { useTranslations } from "next-intl";
import type { FormAction } from "#components/forms/form";
import { SelectField } from "#components/ui/labeled";
import type { Workspace } from "#lib/tenancy/workspaces/schema";
import { SettingsForm } from "./settings-form.tsx";

interface RetirementSettingsProps {
  workspace: Pick<Workspace, "retireApiDays" | "retirePeopleDays" | "retireFromCreation">;
  /** The values that apply if the workspace has no settings. */
  inherited: { apiDays: number; peopleDays: number };
  save: FormAction<null>;
}

const periods = [0, 90, 180, 365, 730, 1_095];
const inheritedValue = "inherited";

export function RetirementSettings({ workspace, inherited, save }: RetirementSettingsProps) {
  const t = useTranslations("retirement");
  const periodName = (days: number) => (days === 0 ? t("never") : t("after", { days }));
  const options = (current: number | null, usual: number) => [
    { value: inheritedValue, label: t("inherited", { period: periodName(usual) }) },
    // The current value is listed too, because the API accepts any number.
    ...[...new Set([...periods, current ?? 0])]
      .sort((a, b) => a - b)
      .map((days) => ({ value: String(days), label: periodName(days) })),
  ];
  return (
    <SettingsForm t={t} save={save}>
      {(field) => (
        <>
          <SelectField
            {...field("retireApiDays", String(workspace.retireApiDays ?? inheritedValue))}
            label={t("api")}
            options={options(workspace.retireApiDays, inherited.apiDays)}
          />
          <SelectField
            {...field("retirePeopleDays", String(workspace.retirePeopleDays ?? inheritedValue))}
            label={t("people")}
            hint={t("peopleHint")}
            options={options(workspace.retirePeopleDays, inherited.peopleDays)}
          />
          <SelectField
            {...field("retireFrom", workspace.retireFromCreation ? "creation" : "visit")}
            label={t("from")}
            options={[
              { value: "visit", label: t("fromVisit") },
              { value: "creation", label: t("fromCreation") },
            ]}
          />
        </>
      )}
    </SettingsForm>
  );
}
