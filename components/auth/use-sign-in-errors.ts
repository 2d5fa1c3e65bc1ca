"use client";

import { useTranslations } from "next-intl";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";

/** Found in the browser, or reported by next-auth, which sends no messages. */
const errorKeys = [
  "emailInvalid",
  "passwordMissing",
  "signInRefused",
  "codeFormat",
  "codeWrong",
  "letterExpired",
  "tooManyAttempts",
  "busy",
  "unavailable",
] as const satisfies readonly ErrorMessageKey[];

/** The messages of failed attempts to sign in, for `useForm`. */
export function useSignInErrors() {
  const t = useTranslations("errors");
  return (key: string): string | undefined => {
    const known = errorKeys.find((one) => one === key);
    return known && t(known);
  };
}
