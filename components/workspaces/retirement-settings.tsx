"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import type { Workspace } from "#lib/tenancy/workspaces/schema";
import { SelectField } from "../ui/labeled.tsx";

interface RetirementSettingsProps {
  workspace: Pick<Workspace, "retireApiDays" | "retirePeopleDays" | "retireFromCreation">;
  /** What applies without settings of the workspace. */
  inherited: { apiDays: number; peopleDays: number };
  save: FormAction<null>;
}

const periods = [0, 90, 180, 365, 730, 1_095];
const asInherited = "inherited";

/** When links of the workspace retire. */
export function RetirementSettings({ workspace, inherited, save }: RetirementSettingsProps) {
  const t = useTranslations("retirement");
  const router = useRouter();
  const { form, pending, error, field } = useForm(save, () => {
    toast.success(t("saved"));
    router.refresh();
  });
  const periodName = (days: number) => (days === 0 ? t("never") : t("after", { days }));
  const options = (current: number | null, usual: number) => [
    { value: asInherited, label: t("inherited", { period: periodName(usual) }) },
    // The API accepts any number.
    ...[...new Set([...periods, current ?? 0])]
      .sort((a, b) => a - b)
      .map((days) => ({ value: String(days), label: periodName(days) })),
  ];
  return (
    <Card heading={t("heading")} note={t("note")}>
      <form {...form} className="grid gap-5">
        <FormError>{error}</FormError>
        <SelectField
          {...field("retireApiDays", String(workspace.retireApiDays ?? asInherited))}
          label={t("api")}
          options={options(workspace.retireApiDays, inherited.apiDays)}
        />
        <SelectField
          {...field("retirePeopleDays", String(workspace.retirePeopleDays ?? asInherited))}
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
        <div>
          <Button type="submit" variant="solid" pending={pending}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
