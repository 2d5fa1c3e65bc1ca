"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { InputField } from "../ui/labeled.tsx";

export function SharePassword({ unlock }: { unlock: FormAction<null> }) {
  const t = useTranslations("shares");
  const { form, pending, error, errorOf } = useForm(unlock, () => window.location.reload());
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        label={t("doorPassword")}
        error={errorOf("password")}
        name="password"
        type="password"
        autoComplete="off"
        autoFocus
        required
      />
      <Button type="submit" variant="solid" size="lg" pending={pending}>
        {t("doorOpen")}
      </Button>
    </form>
  );
}
