"use client";

import { signIn } from "next-auth/react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { type FormAnswer, useForm } from "#components/forms/form";
import { FormError } from "#components/ui/form-error";
import { CodeForm } from "./code-form.tsx";
import { EmailField, PasswordField, WideSubmit } from "./fields.tsx";
import { loadPage } from "./load-page.ts";
import { signInErrorKey, useSignInErrors } from "./use-sign-in-errors.ts";

export type SignInStep = "in" | "code_missing";

/** Signs in with next-auth, which reports errors as a short text or not at all. */
export async function signInWith(
  provider: "password" | "letter",
  credentials: Readonly<Record<string, string>>,
): Promise<FormAnswer<SignInStep>> {
  const result = await signIn(provider, { ...credentials, redirect: false });
  if (result?.ok && !result.error) return { ok: true, done: "in" };
  if (result?.error === "code_missing") return { ok: true, done: "code_missing" };
  const banned = /^banned:([\w.-]+)$/.exec(result?.error ?? "")?.[1];
  if (banned !== undefined) {
    loadPage(`/appeal?token=${banned}`);
    return { ok: false, form: "accountBanned" };
  }
  return { ok: false, form: signInErrorKey(result?.error ?? "") };
}

export function SignInForm({ next, invited }: { next: string; invited: string }) {
  return <SignInSteps invited={invited} onIn={() => loadPage(next)} />;
}

/** With a second factor, the code is requested after the right password. */
export function SignInSteps({ invited = "", onIn }: { invited?: string; onIn: () => void }) {
  const given = useRef({ email: "", password: "" });
  const [step, setStep] = useState<"password" | "code">("password");
  const onDone = (done: SignInStep) => (done === "in" ? onIn() : setStep("code"));

  async function submit(data: FormData): Promise<FormAnswer<SignInStep>> {
    const email = String(data.get("email") ?? "").trim();
    const password = String(data.get("password") ?? "");
    if (!email.includes("@")) return { ok: false, fields: { email: "emailInvalid" } };
    if (password === "") return { ok: false, fields: { password: "passwordMissing" } };
    given.current = { email, password };
    return await signInWith("password", given.current);
  }

  if (step === "password")
    return <PasswordForm submit={submit} invited={invited} onDone={onDone} />;
  return (
    <CodeForm
      submit={(code) => signInWith("password", { ...given.current, code })}
      onDone={onDone}
    />
  );
}

interface PasswordFormProps {
  submit: (data: FormData) => Promise<FormAnswer<SignInStep>>;
  invited: string;
  onDone: (done: SignInStep) => void;
}

function PasswordForm({ submit, invited, onDone }: PasswordFormProps) {
  const t = useTranslations("auth");
  const { form, pending, error, errorOf, typed } = useForm(submit, onDone, {
    say: useSignInErrors(),
  });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <EmailField error={errorOf("email")} typed={typed("email", invited)} />
      <PasswordField
        label={t("password")}
        error={errorOf("password")}
        autoComplete="current-password"
      />
      <WideSubmit pending={pending}>{t("signIn")}</WideSubmit>
    </form>
  );
}
