import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";

interface EmailFieldProps {
  error: string | undefined;
  typed: string;
}

/** The email address of an account; password managers treat it as the username. */
export function EmailField({ error, typed }: EmailFieldProps) {
  const t = useTranslations("auth");
  return (
    <Field label={t("email")} error={error}>
      {(control) => (
        <Input
          {...control}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={typed}
        />
      )}
    </Field>
  );
}

interface PasswordFieldProps {
  /** In the form. */
  name?: string;
  label: string;
  hint?: string;
  error: string | undefined;
  autoComplete: "current-password" | "new-password";
}

/** The input is not restored after an error. */
export function PasswordField(props: PasswordFieldProps) {
  const { name = "password", label, hint, error, autoComplete } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input {...control} name={name} type="password" autoComplete={autoComplete} required />
      )}
    </Field>
  );
}

/** The submit button of these pages. */
export function WideSubmit({ pending, children }: { pending: boolean; children: ReactNode }) {
  return (
    <Button type="submit" variant="solid" size="lg" pending={pending} className="mt-1 w-full">
      {children}
    </Button>
  );
}
