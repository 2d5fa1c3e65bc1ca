"use client";

import { signIn } from "next-auth/react";
import { useTranslations } from "next-intl";
import { type FormAnswer, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";

/** Signs in with next-auth, which knows only that something did not fit, not what. */
export async function signInWith(email: string, password: string): Promise<FormAnswer<null>> {
  const result = await signIn("password", { email, password, redirect: false });
  if (result?.ok && !result.error) return { ok: true, done: null };
  if (result?.error === "too_many") return { ok: false, form: "tooManyAttempts" };
  if (result?.error === "busy") return { ok: false, form: "busy" };
  if (result?.error === "CredentialsSignin") return { ok: false, form: "signInRefused" };
  return { ok: false, form: "unknown" };
}

/** Loads the page anew: what the router kept was rendered for somebody who was signed out. */
export function enter(address: string): void {
  window.location.assign(address);
}

async function submit(data: FormData): Promise<FormAnswer<null>> {
  const email = String(data.get("email") ?? "").trim();
  const password = String(data.get("password") ?? "");
  if (!email.includes("@")) return { ok: false, fields: { email: "emailInvalid" } };
  if (password === "") return { ok: false, fields: { password: "passwordMissing" } };
  return await signInWith(email, password);
}

export function SignInForm({ next }: { next: string }) {
  const t = useTranslations("auth");
  const { form, pending, error, errorOf, typed } = useForm(submit, () => enter(next));
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={t("email")} error={errorOf("email")}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            required
            defaultValue={typed("email")}
          />
        )}
      </Field>
      <Field label={t("password")} error={errorOf("password")}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <Button type="submit" look="solid" size="lg" pending={pending} className="mt-1 w-full">
        {t("signIn")}
      </Button>
    </form>
  );
}
