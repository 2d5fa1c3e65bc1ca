"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { PasswordField, WideSubmit } from "./fields.tsx";

interface ResetFormProps {
  reset: FormAction<null>;
  limits: { min: number; max: number };
}

export function ResetForm({ reset, limits }: ResetFormProps) {
  const t = useTranslations("entry");
  const auth = useTranslations("auth");
  const [done, setDone] = useState(false);
  const { form, pending, error, errorOf } = useForm(reset, () => setDone(true), {});
  if (done) {
    return (
      <div className="grid gap-4">
        <p role="status" className="text-sm">
          {t("resetDone")}
        </p>
        <Button asChild variant="solid" size="lg" className="w-full">
          <Link href="/signin">{auth("signIn")}</Link>
        </Button>
      </div>
    );
  }
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <PasswordField
        label={t("newPassword")}
        hint={auth("passwordHint", limits)}
        error={errorOf("password")}
        autoComplete="new-password"
      />
      <WideSubmit pending={pending}>{t("setPassword")}</WideSubmit>
    </form>
  );
}
