"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { Workspace } from "#lib/tenancy/workspaces/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";

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
  const { form, pending, error, errorOf, typed } = useForm(save, () => {
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
        <Field label={t("api")} error={errorOf("retireApiDays")}>
          {(control) => (
            <Select
              {...control}
              name="retireApiDays"
              options={options(workspace.retireApiDays, inherited.apiDays)}
              defaultValue={typed("retireApiDays", String(workspace.retireApiDays ?? asInherited))}
            />
          )}
        </Field>
        <Field label={t("people")} error={errorOf("retirePeopleDays")} hint={t("peopleHint")}>
          {(control) => (
            <Select
              {...control}
              name="retirePeopleDays"
              options={options(workspace.retirePeopleDays, inherited.peopleDays)}
              defaultValue={typed(
                "retirePeopleDays",
                String(workspace.retirePeopleDays ?? asInherited),
              )}
            />
          )}
        </Field>
        <Field label={t("from")} error={errorOf("retireFrom")}>
          {(control) => (
            <Select
              {...control}
              name="retireFrom"
              options={[
                { value: "visit", label: t("fromVisit") },
                { value: "creation", label: t("fromCreation") },
              ]}
              defaultValue={typed(
                "retireFrom",
                workspace.retireFromCreation ? "creation" : "visit",
              )}
            />
          )}
        </Field>
        <div>
          <Button type="submit" variant="solid" pending={pending}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
