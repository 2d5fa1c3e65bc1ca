"use server";

import { getLocale } from "next-intl/server";
import type { FormAnswer } from "#components/forms/form";
import { sendAccountExistsEmail, sendConfirmationEmail } from "#lib/identity/accounts";
import { getRequestAddress, getRequestOrigin, signUp } from "#lib/identity/auth";
import { signUpBody } from "#lib/identity/auth/schema";
import { withOrigin } from "#lib/tenancy/audit";
import { acceptInvitation, findInvitation } from "#lib/tenancy/members";
import { action, formOf, nameArgument } from "../../action.ts";
import { passwordField, refusedBy } from "../../refusals.ts";
import { unlessBusy } from "../busy.ts";

/** Signs up, and accepts the invitation that led here. Returns the page of its workspace, or null without an invitation. */
export const signUpAction = action(
  [
    nameArgument,
    formOf(signUpBody, { name: "nameMissing", email: "emailInvalid", password: "passwordShort" }),
  ],
  async (invite, fields): Promise<FormAnswer<string | null>> => {
    return await unlessBusy(async () => {
      const address = await getRequestAddress();
      // Checked before the password is hashed, and rate limited so that invitations cannot be guessed.
      const invited = (await findInvitation(invite, address)) !== undefined;
      const outcome = await signUp(fields, address, invited ? invite : "");
      if (outcome.ok) {
        const { email, operator } = outcome.user;
        if (!operator) await sendConfirmationEmail(email, await getLocale(), address);
        return { ok: true, done: invited ? await join(outcome.user, invite) : null };
      }
      if (outcome.code === "email_taken") {
        await sendAccountExistsEmail(fields.email, await getLocale(), address);
      }
      return refusedBy(outcome.code, { ...passwordField("password"), email_taken: "email" });
    });
  },
);

/** The page of the workspace, or null if the invitation was refused. The invitation page then says why. */
async function join(
  user: Parameters<typeof acceptInvitation>[0],
  invite: string,
): Promise<string | null> {
  const origin = await getRequestOrigin();
  const joined = await withOrigin(origin, () => acceptInvitation(user, invite));
  return joined.ok ? `/app/${joined.slug}/links` : null;
}
