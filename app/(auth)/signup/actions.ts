"use server";

import { getRequestAddress, signUp } from "#lib/auth";
import { signUpBody } from "#lib/auth/schema";
import type { FormAnswer } from "../../../components/forms/form.tsx";
import { parseForm } from "../../form-data.ts";

const refusals = {
  email_taken: { fields: { email: "emailTaken" } },
  closed: { form: "signUpClosed" },
  too_many: { form: "tooManyAttempts" },
} as const;

export async function signUpAction(data: FormData): Promise<FormAnswer<null>> {
  const parsed = parseForm(data, signUpBody, {
    name: "nameMissing",
    email: "emailInvalid",
    password: "passwordShort",
  });
  if (!parsed.ok) return parsed;
  const outcome = await signUp(parsed.value, await getRequestAddress());
  return outcome.ok ? { ok: true, done: null } : { ok: false, ...refusals[outcome.code] };
}
