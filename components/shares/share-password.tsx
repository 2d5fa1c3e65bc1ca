"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";

/** Asks for the password of a share. */
export function SharePassword({ unlock }: { unlock: FormAction<null> }) {
  const t = useTranslations("shares");
  const { form, pending, error, errorOf } = useForm(unlock, () => window.location.reload());
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={t("doorPassword")} error={errorOf("password")}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="off"
            autoFocus
            required
          />
        )}
      </Field>
      <Button type="submit" variant="solid" size="lg" pending={pending}>
        {t("doorOpen")}
      </Button>
    </form>
  );
}
