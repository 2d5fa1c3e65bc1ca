"use client";

import { useTranslations } from "next-intl";
import { CodeField } from "../forms/code-field.tsx";
import { type FormAnswer, useForm } from "../forms/form.tsx";
import { FormError } from "../ui/form-error.tsx";
import { WideSubmit } from "./fields.tsx";

interface CodeFormProps<Done> {
  submit: (code: string) => Promise<FormAnswer<Done>>;
  onDone: (done: Done) => void;
}

/** The second step of signing in. */
export function CodeForm<Done>({ submit, onDone }: CodeFormProps<Done>) {
  const t = useTranslations("entry");
  const { form, pending, error, errorOf } = useForm(async (data): Promise<FormAnswer<Done>> => {
    const code = String(data.get("code") ?? "").trim();
    return code === "" ? { ok: false, fields: { code: "codeFormat" } } : await submit(code);
  }, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <CodeField label={t("code")} hint={t("codeHint")} error={errorOf("code")} />
      <WideSubmit pending={pending}>{t("go")}</WideSubmit>
    </form>
  );
}
