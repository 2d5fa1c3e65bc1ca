"use client";

import { useTranslations } from "next-intl";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { FormError } from "#components/ui/form-error";
import { InputField } from "#components/ui/labeled";
import { WideSubmit } from "./fields.tsx";
import { startSignIn } from "./start-sign-in.ts";

export interface FoundSso {
  provider: string;
  next: string;
}

interface SsoFormProps {
  initial: string;
  find: FormAction<FoundSso>;
}

/** Finds the provider by the domain of an address, or by the URL of a workspace, and leads to it. */
export function SsoForm({ initial, find }: SsoFormProps) {
  const t = useTranslations("entry");
  async function submit(data: FormData): Promise<FormAnswer<FoundSso>> {
    const answer = await find(data);
    if (answer.ok) await startSignIn(answer.done.provider, answer.done.next);
    return answer;
  }
  const { form, pending, error, field } = useForm(submit, () => undefined);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        {...field("word", initial)}
        label={t("ssoWord")}
        hint={t("ssoHint")}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <WideSubmit pending={pending}>{t("go")}</WideSubmit>
    </form>
  );
}
