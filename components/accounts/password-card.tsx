"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { InputField } from "../ui/labeled.tsx";
import { ConfirmPassword } from "./confirm-password.tsx";

interface PasswordCardProps {
  has: boolean;
  change: FormAction<null>;
  limits: { min: number; max: number };
}

export function PasswordCard({ has, change, limits }: PasswordCardProps) {
  const t = useTranslations("security");
  if (!has) return <Card heading={t("password")} note={t("noPassword")} />;
  return (
    <Card heading={t("password")} note={t("passwordText")}>
      <PasswordForm change={change} limits={limits} />
    </Card>
  );
}

function PasswordForm({ change, limits }: Omit<PasswordCardProps, "has">) {
  const t = useTranslations("security");
  const auth = useTranslations("auth");
  const done = () => toast.success(t("passwordChanged"));
  const { form, pending, error, errorOf } = useForm(change, done);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ConfirmPassword error={errorOf("passwordNow")} />
        <InputField
          label={t("newPassword")}
          hint={auth("passwordHint", limits)}
          error={errorOf("passwordNext")}
          name="passwordNext"
          type="password"
          autoComplete="new-password"
          required
        />
      </div>
      <div>
        <Button type="submit" pending={pending}>
          {t("changePassword")}
        </Button>
      </div>
    </form>
  );
}
