"use client";

import { useTranslations } from "next-intl";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** Proves once more who sits there. */
export function PasswordField({ error }: { error: string | undefined }) {
  const t = useTranslations("security");
  return (
    <Field label={t("currentPassword")} error={error}>
      {(control) => (
        <Input
          {...control}
          name="passwordNow"
          type="password"
          autoComplete="current-password"
          required
        />
      )}
    </Field>
  );
}
