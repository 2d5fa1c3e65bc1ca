"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { CodeForm } from "./code-form.tsx";
import { loadPage } from "./load-page.ts";
import { type SignInStep, signInWith } from "./sign-in-form.tsx";
import { useSignInErrors } from "./use-sign-in-errors.ts";

/** Only the button uses up the token, because mail servers open URLs to check them. */
export function EmailSignIn({ token }: { token: string }) {
  const [step, setStep] = useState<"button" | "code">("button");
  const onDone = (done: SignInStep) => (done === "in" ? loadPage("/app") : setStep("code"));
  const submit = async (code: string) => {
    const answer = await signInWith("letter", { token, code });
    if (answer.ok || answer.form !== "signInRefused") return answer;
    return { ok: false, form: "expired" } as const;
  };
  if (step === "code") return <CodeForm submit={submit} onDone={onDone} />;
  return <GoForm submit={() => submit("")} onDone={onDone} />;
}

interface GoFormProps {
  submit: () => ReturnType<typeof signInWith>;
  onDone: (done: SignInStep) => void;
}

function GoForm({ submit, onDone }: GoFormProps) {
  const auth = useTranslations("auth");
  const { form, pending, error } = useForm(submit, onDone, { say: useSignInErrors() });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Button type="submit" variant="solid" size="lg" pending={pending} className="w-full">
        {auth("signIn")}
      </Button>
    </form>
  );
}
