"use client";

import { useTranslations } from "next-intl";
import { camelOf } from "#lib/basics/variants/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";

/** Errors that the browser finds or next-auth reports. next-auth sends no messages. */
const errorKeys = [
  "emailInvalid",
  "passwordMissing",
  "signInRefused",
  "passkeyRefused",
  "codeFormat",
  "codeWrong",
  "expired",
  "tooMany",
  "busy",
  "serviceUnavailable",
] as const satisfies readonly ErrorMessageKey[];

/** The message key for an error of next-auth, which uses its own code for a wrong password. */
export function signInErrorKey(code: string): ErrorMessageKey {
  if (code === "CredentialsSignin") return "signInRefused";
  return errorKeys.find((one) => one === camelOf(code)) ?? "unknown";
}

export function useSignInErrors() {
  const t = useTranslations("errors");
  return (key: string): string | undefined => {
    const known = errorKeys.find((one) => one === key);
    return known && t(known);
  };
}
