"use client";

import { useTranslations } from "next-intl";
import { CodeField } from "#components/forms/code-field";
import { type FormAnswer, useForm } from "#components/forms/form";
import { FormError } from "#components/ui/form-error";
import { WideSubmit } from "./fields.tsx";
import { loadPage } from "./load-page.ts";
import type { AskForPasskey } from "./passkey.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { useSignInErrors } from "./use-sign-in-errors.ts";

interface CodeFormProps<Done> {
  submit: (code: string) => Promise<FormAnswer<Done>>;
  onDone: (done: Done) => void;
}

export function CodeForm<Done>({ submit, onDone }: CodeFormProps<Done>) {
  const t = useTranslations("entry");
  const check = async (data: FormData): Promise<FormAnswer<Done>> => {
    const code = String(data.get("code") ?? "").trim();
    return code === "" ? { ok: false, fields: { code: "codeFormat" } } : await submit(code);
  };
  const { form, pending, error, errorOf } = useForm(check, onDone, { say: useSignInErrors() });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <CodeField label={t("code")} hint={t("codeHint")} error={errorOf("code")} />
      <WideSubmit pending={pending}>{t("go")}</WideSubmit>
    </form>
  );
}

interface FactorFormProps {
  check: (code: string) => Promise<FormAnswer<null>>;
  /** Undefined where passkeys are not possible. */
  passkey: { ask: AskForPasskey; check: (answer: string) => Promise<FormAnswer<null>> } | undefined;
  /** The account has no codes, only passkeys. */
  passkeyOnly?: boolean;
  next: string;
}

export function FactorForm({ check, passkey, passkeyOnly, next }: FactorFormProps) {
  const onDone = () => loadPage(next);
  return (
    <div className="grid gap-3">
      {passkeyOnly ? null : <CodeForm submit={check} onDone={onDone} />}
      {passkey ? <PasskeyButton ask={passkey.ask} submit={passkey.check} onDone={onDone} /> : null}
    </div>
  );
}
