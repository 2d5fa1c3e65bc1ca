"use server";

import { getLocale } from "next-intl/server";
import { sendAccountExistsEmail, sendConfirmationEmail } from "#lib/identity/accounts";
import { getRequestAddress, signUp } from "#lib/identity/auth";
import { signUpBody } from "#lib/identity/auth/schema";
import { findInvitation } from "#lib/tenancy/members";
import type { FormAnswer } from "../../../components/forms/form.tsx";
import { action, formArgument, nameArgument } from "../../action.ts";
import { parseForm } from "../../form-data.ts";
import { unlessBusy } from "../busy.ts";

const errors = {
  email_taken: { fields: { email: "emailTaken" } },
  closed: { form: "signUpClosed" },
  too_many: { form: "tooManyAttempts" },
} as const;

export const signUpAction = action(
  [nameArgument, formArgument()],
  async (invite, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, signUpBody, {
      name: "nameMissing",
      email: "emailInvalid",
      password: "passwordShort",
    });
    if (!parsed.ok) return parsed;
    return await unlessBusy(async () => {
      const address = await getRequestAddress();
      // Before the password is hashed, and limited: invitations cannot be guessed.
      const invited = (await findInvitation(invite, address)) !== undefined;
      const outcome = await signUp(parsed.value, address, invited ? invite : "");
      if (outcome.ok) {
        const { email, operator } = outcome.user;
        if (!operator) await sendConfirmationEmail(email, await getLocale(), address);
        return { ok: true, done: null };
      }
      if (outcome.code === "email_taken") {
        await sendAccountExistsEmail(parsed.value.email, await getLocale(), address);
      }
      return { ok: false, ...errors[outcome.code] };
    });
  },
);
