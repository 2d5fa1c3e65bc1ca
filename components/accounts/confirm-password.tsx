"use client";

import { useTranslations } from "next-intl";
import { PasswordField } from "#components/auth/fields";

export function ConfirmPassword({ error }: { error: string | undefined }) {
  const t = useTranslations("security");
  return (
    <PasswordField
      name="passwordNow"
      label={t("currentPassword")}
      error={error}
      autoComplete="current-password"
    />
  );
}
