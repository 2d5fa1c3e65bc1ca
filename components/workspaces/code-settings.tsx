"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { countriesText } from "#components/forms/country-codes.ts";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { codesPerDayMax, type Workspace } from "#lib/tenancy/workspaces/schema";
import { InputField } from "../ui/labeled.tsx";

interface CodeSettingsProps {
  workspace: Pick<Workspace, "codeCountries" | "codesPerDay" | "codesStopped">;
  /** Of the time zone; null: it is that of no country. */
  home: string | null;
  save: FormAction<null>;
}

/** Codes by SMS of forms: where they go, how many a day, and the switch that stops them. */
export function CodeSettings({ workspace, home, save }: CodeSettingsProps) {
  const t = useTranslations("settings.codes");
  const locale = useLocale();
  const router = useRouter();
  const { form, pending, error, field } = useForm(save, () => {
    toast.success(t("saved"));
    router.refresh();
  });
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
  return (
    <Card heading={t("heading")} note={t("note")}>
      <form {...form} className="grid gap-5" noValidate>
        <FormError>{error}</FormError>
        <Switch
          name="codesStopped"
          label={t("stopped")}
          hint={t("stoppedHint")}
          defaultChecked={workspace.codesStopped}
        />
        <InputField
          {...field("codeCountries", countriesText(workspace.codeCountries))}
          label={t("countries")}
          hint={
            home === null
              ? t("countriesNone")
              : t("countriesHint", { country: names.of(home) ?? home })
          }
          autoComplete="off"
          spellCheck={false}
          placeholder="CN, US"
        />
        <InputField
          {...field("codesPerDay", String(workspace.codesPerDay))}
          label={t("perDay")}
          hint={t("perDayHint")}
          type="number"
          inputMode="numeric"
          className="w-32"
          min={1}
          max={codesPerDayMax}
          required
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
