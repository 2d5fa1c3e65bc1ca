"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";

interface ResetFormProps {
  reset: FormAction<null>;
  limits: { min: number; max: number };
}

export function ResetForm({ reset, limits }: ResetFormProps) {
  const t = useTranslations("entry");
  const auth = useTranslations("auth");
  const [done, setDone] = useState(false);
  const { form, pending, error, errorOf } = useForm(reset, () => setDone(true), limits);
  if (done) {
    return (
      <div className="grid gap-4">
        <p role="status" className="text-sm">
          {t("resetDone")}
        </p>
        <Button asChild look="solid" size="lg" className="w-full">
          <Link href="/signin">{auth("signIn")}</Link>
        </Button>
      </div>
    );
  }
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field
        label={t("newPassword")}
        hint={auth("passwordHint", limits)}
        error={errorOf("password")}
      >
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="new-password"
            required
          />
        )}
      </Field>
      <Button type="submit" look="solid" size="lg" pending={pending} className="mt-1 w-full">
        {t("setPassword")}
      </Button>
    </form>
  );
}
