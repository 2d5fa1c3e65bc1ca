"use client";

import { useTranslations } from "next-intl";
import { type FormAnswer, useForm } from "../forms/form.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
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
      <Field label={t("code")} hint={t("codeHint")} error={errorOf("code")}>
        {(control) => (
          <Input
            {...control}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            className="font-mono"
          />
        )}
      </Field>
      <WideSubmit pending={pending}>{t("go")}</WideSubmit>
    </form>
  );
}
