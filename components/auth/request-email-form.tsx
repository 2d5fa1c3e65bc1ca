"use client";

import { MailCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { FormError } from "#components/ui/form-error";
import { EmailField, WideSubmit } from "./fields.tsx";

/** Requests an email. The message shown afterwards is the same whether or not the account exists. */
export function RequestEmailForm({ request }: { request: FormAction<null> }) {
  const t = useTranslations("entry");
  const [sent, setSent] = useState(false);
  const { form, pending, error, errorOf, typed } = useForm(request, () => setSent(true));
  if (sent) {
    return (
      <p role="status" className="flex gap-2 rounded-md bg-accent-soft px-3 py-2 text-sm">
        <MailCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        {t("sent")}
      </p>
    );
  }
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <EmailField error={errorOf("email")} typed={typed("email")} />
      <WideSubmit pending={pending}>{t("send")}</WideSubmit>
    </form>
  );
}
