import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { InputField } from "../ui/labeled.tsx";

/** The email address of an account; password managers treat it as the username. */
export function EmailField({ error, typed }: { error: string | undefined; typed: string }) {
  const t = useTranslations("auth");
  return (
    <InputField
      label={t("email")}
      error={error}
      name="email"
      type="email"
      // Browsers suggest passkeys here too.
      autoComplete="username webauthn"
      required
      defaultValue={typed}
    />
  );
}

interface PasswordFieldProps {
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
    <InputField
      label={label}
      hint={hint}
      error={error}
      name={name}
      type="password"
      autoComplete={autoComplete}
      required
    />
  );
}

export function WideSubmit({ pending, children }: { pending: boolean; children: ReactNode }) {
  return (
    <Button type="submit" variant="solid" size="lg" pending={pending} className="mt-1 w-full">
      {children}
    </Button>
  );
}
