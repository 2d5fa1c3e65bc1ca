"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { countriesText } from "#components/forms/country-codes.ts";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { codesPerDayMax, type Workspace } from "#lib/tenancy/workspaces/schema";

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
  const { form, pending, error, errorOf, typed } = useForm(save, () => {
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
        <Field
          label={t("countries")}
          error={errorOf("codeCountries")}
          hint={
            home === null
              ? t("countriesNone")
              : t("countriesHint", { country: names.of(home) ?? home })
          }
        >
          {(control) => (
            <Input
              {...control}
              name="codeCountries"
              autoComplete="off"
              spellCheck={false}
              placeholder="CN, US"
              defaultValue={typed("codeCountries", countriesText(workspace.codeCountries))}
            />
          )}
        </Field>
        <Field label={t("perDay")} error={errorOf("codesPerDay")} hint={t("perDayHint")}>
          {(control) => (
            <Input
              {...control}
              name="codesPerDay"
              type="number"
              inputMode="numeric"
              className="w-32"
              min={1}
              max={codesPerDayMax}
              required
              defaultValue={typed("codesPerDay", String(workspace.codesPerDay))}
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
