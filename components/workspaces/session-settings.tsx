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

interface SessionSettingsProps {
  workspace: Pick<Workspace, "sessionIdleMinutes" | "sessionHours">;
  save: FormAction<null>;
}

const idleMinutes = [15, 30, 60, 240, 720, 1_440, 10_080];
const hours = [8, 12, 24, 168, 336];
const asInstance = "inherited";

/** How long people stay signed in for this workspace. */
export function SessionSettings({ workspace, save }: SessionSettingsProps) {
  const t = useTranslations("sessionLimits");
  const router = useRouter();
  const { form, pending, error, field } = useForm(save, () => {
    toast.success(t("saved"));
    router.refresh();
  });
  const nameOf = (minutes: number) => {
    if (minutes % 1_440 === 0) return t("days", { count: minutes / 1_440 });
    return minutes % 60 === 0
      ? t("hours", { count: minutes / 60 })
      : t("minutes", { count: minutes });
  };
  const options = (usual: readonly number[], current: number | null, unitMinutes: number) => [
    { value: asInstance, label: t("inherited") },
    // The API accepts any number.
    ...[...new Set([...usual, ...(current === null ? [] : [current])])]
      .sort((a, b) => a - b)
      .map((period) => ({ value: String(period), label: nameOf(period * unitMinutes) })),
  ];
  const fields = [
    { name: "sessionIdleMinutes", label: t("idle"), usual: idleMinutes, unit: 1 },
    { name: "sessionHours", label: t("absolute"), usual: hours, unit: 60 },
  ] as const;
  return (
    <Card heading={t("heading")} note={t("note")}>
      <form {...form} className="grid gap-5">
        <FormError>{error}</FormError>
        {fields.map(({ name, label, usual, unit }) => (
          <SelectField
            {...field(name, String(workspace[name] ?? asInstance))}
            key={name}
            label={label}
            options={options(usual, workspace[name], unit)}
          />
        ))}
        <div>
          <Button type="submit" variant="solid" pending={pending}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
