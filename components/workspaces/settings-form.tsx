"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Card } from "#components/ui/card";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";

interface SettingsFormProps {
  t: (text: "heading" | "note" | "saved" | "save") => string;
  save: FormAction<null>;
  children: (field: ReturnType<typeof useForm>["field"]) => ReactNode;
}

export function SettingsForm({ t, save, children }: SettingsFormProps) {
  const router = useRouter();
  const { form, pending, error, field } = useForm(save, () => {
    toast.success(t("saved"));
    router.refresh();
  });
  return (
    <Card heading={t("heading")} note={t("note")}>
      <form {...form} className="grid gap-5">
        <FormError>{error}</FormError>
        {children(field)}
        <FormSubmit pending={pending}>{t("save")}</FormSubmit>
      </form>
    </Card>
  );
}
