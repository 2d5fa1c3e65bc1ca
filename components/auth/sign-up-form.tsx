"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { FormError } from "#components/ui/form-error";
import { InputField } from "../ui/labeled.tsx";
import { EmailField, PasswordField, WideSubmit } from "./fields.tsx";
import { loadPage } from "./load-page.ts";
import { type SignInStep, signInWith } from "./sign-in-form.tsx";
import { useSignInErrors } from "./use-sign-in-errors.ts";

interface SignUpFormProps {
  /** Returns the page of the workspace that an invitation led to. */
  signUp: FormAction<string | null>;
  /** The email address that was invited; empty without an invitation. */
  invited: string;
  /** Limits of a password, passed as a property because the schema is too heavy for a browser. */
  limits: { min: number; max: number };
  next: string;
}

export function SignUpForm({ signUp, invited, limits, next }: SignUpFormProps) {
  const t = useTranslations("auth");

  const page = useRef(next);

  /** Signs in to the new account at once, with the input of the form. */
  const submit: FormAction<SignInStep> = async (data) => {
    const created = await signUp(data);
    if (!created.ok) return created;
    page.current = created.done ?? next;
    const email = String(data.get("email")).trim();
    return await signInWith("password", { email, password: String(data.get("password")) });
  };

  const { form, pending, error, errorOf, typed, field } = useForm(
    submit,
    () => loadPage(page.current),
    { say: useSignInErrors() },
  );
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField {...field("name")} label={t("name")} autoFocus autoComplete="name" required />
      <EmailField error={errorOf("email")} typed={typed("email", invited)} />
      <PasswordField
        label={t("password")}
        hint={t("passwordHint", limits)}
        error={errorOf("password")}
        autoComplete="new-password"
      />
      <WideSubmit pending={pending}>{t("signUp")}</WideSubmit>
    </form>
  );
}
