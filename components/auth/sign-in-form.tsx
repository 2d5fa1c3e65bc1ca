"use client";

import { signIn } from "next-auth/react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type FormAnswer, useForm } from "#components/forms/form";
import { FormError } from "#components/ui/form-error";
import { CodeForm } from "./code-form.tsx";
import { EmailField, PasswordField, WideSubmit } from "./fields.tsx";
import { loadPage } from "./load-page.ts";
import { type AskForPasskey, canSuggestPasskeys, signWithPasskey } from "./passkey.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { signInErrorKey, useSignInErrors } from "./use-sign-in-errors.ts";

export type SignInStep = "in" | "code_missing";

/** Signs in with next-auth, which reports errors as a short text or not at all. */
export async function signInWith(
  provider: "password" | "letter" | "passkey",
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
  const form = signInErrorKey(result?.error ?? "");
  return {
    ok: false,
    form: provider === "passkey" && form === "signInRefused" ? "passkeyRefused" : form,
  };
}

interface SignInFormProps {
  next: string;
  invited: string;
  ask: AskForPasskey | undefined;
}

export function SignInForm({ next, ...steps }: SignInFormProps) {
  return <SignInSteps {...steps} onIn={() => loadPage(next)} />;
}

interface SignInStepsProps {
  invited?: string;
  /** Undefined where passkeys are not possible. */
  ask: AskForPasskey | undefined;
  onIn: () => void;
}

/** With a second factor, the code is requested after the right password. */
export function SignInSteps({ invited = "", ask, onIn }: SignInStepsProps) {
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

  return (
    <div className="grid gap-3">
      {step === "password" ? (
        <PasswordForm submit={submit} invited={invited} onDone={onDone} />
      ) : (
        <CodeForm
          submit={(code) => signInWith("password", { ...given.current, code })}
          onDone={onDone}
        />
      )}
      {ask ? <PasskeyWay ask={ask} onIn={onIn} suggests={step === "password"} /> : null}
    </div>
  );
}

interface PasskeyWayProps {
  ask: AskForPasskey;
  onIn: () => void;
  /** The email field is shown, so the browser may suggest passkeys in it. */
  suggests: boolean;
}

function PasskeyWay({ ask, onIn, suggests }: PasskeyWayProps) {
  const submit = (answer: string) => signInWith("passkey", { answer });
  const suggest = useEffectEvent(async () => {
    if (!(await canSuggestPasskeys())) return;
    const answer = await signWithPasskey(ask, { submit, canceled: "" }, true);
    if (answer.ok) onIn();
  });
  useEffect(() => {
    // The button does the same, and says what fails.
    if (suggests) void suggest().catch(() => undefined);
  }, [suggests]);
  return <PasskeyButton ask={ask} submit={submit} onDone={onIn} say={useSignInErrors()} />;
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
