"use server";

import { getLocale } from "next-intl/server";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { confirmEmail, requestEmail, resetPassword } from "#lib/identity/accounts";
import { getRequestAddress, getRequestCookies, getRequestOrigin } from "#lib/identity/auth";
import { newPassword } from "#lib/identity/auth/schema";
import { undoFactorChange } from "#lib/identity/factor-changes";
import { askForPasskey } from "#lib/identity/passkeys";
import { passkeyAnswerCharsMax } from "#lib/identity/passkeys/schema";
import { askForFactor, finishSignIn, finishSignInByPasskey } from "#lib/identity/presence";
import { withOrigin } from "#lib/tenancy/audit";
import { acceptInvitation } from "#lib/tenancy/members";
import { action, formArgument, formOf, nameArgument } from "../action.ts";
import { requireOwner } from "../app/access.ts";
import { passwordField, refusedBy } from "../refusals.ts";
import { unlessBusy } from "./busy.ts";

export const requestEmailAction = action(
  [z.enum(["reset", "signin"]), formArgument()],
  async (kind, data): Promise<FormAnswer<null>> => {
    return await unlessBusy(async () => {
      const locale = await getLocale();
      const [address, cookies] = await Promise.all([getRequestAddress(), getRequestCookies()]);
      const outcome = await requestEmail(kind, data.get("email"), locale, address, cookies);
      if (outcome.ok) return { ok: true, done: null };
      return refusedBy(outcome.code, { email_invalid: "email" });
    });
  },
);

const resetForm = z.object({ password: newPassword });

export const resetPasswordAction = action(
  [nameArgument, formOf(resetForm, { password: "passwordShort" })],
  async (token, fields): Promise<FormAnswer<null>> => {
    return await unlessBusy(async () => {
      const { password } = fields;
      const address = await getRequestAddress();
      const outcome = await resetPassword(token, password, address, await getLocale());
      return outcome.ok
        ? { ok: true, done: null }
        : refusedBy(outcome.code, passwordField("password"));
    });
  },
);

/** Verifies the code after a sign-in with a connected account. */
export const finishSignInAction = action(
  [nameArgument],
  async (code): Promise<FormAnswer<null>> => {
    return await unlessBusy(async () => {
      const [cookies, origin] = await Promise.all([getRequestCookies(), getRequestOrigin()]);
      const outcome = await withOrigin(origin, () => finishSignIn(cookies, code));
      return outcome.ok
        ? { ok: true, done: null }
        : refusedBy(outcome.code, { code_wrong: "code" });
    });
  },
);

/** What a browser needs to sign in with a passkey. */
export const askPasskeyAction = action([], async () => {
  return await unlessBusy(async () => ({ ok: true, done: await askForPasskey("sign in") }));
});

export const askFactorPasskeyAction = action([], async () => {
  return await unlessBusy(async () => {
    const asked = await askForFactor(await getRequestCookies());
    return asked ? { ok: true, done: asked } : { ok: false, form: "unauthorized" };
  });
});

export const finishByPasskeyAction = action(
  [z.string().max(passkeyAnswerCharsMax)],
  async (answer): Promise<FormAnswer<null>> => {
    return await unlessBusy(async () => {
      const [cookies, origin] = await Promise.all([getRequestCookies(), getRequestOrigin()]);
      const outcome = await withOrigin(origin, () => finishSignInByPasskey(cookies, answer));
      return outcome.ok ? { ok: true, done: null } : refusedBy(outcome.code);
    });
  },
);

/** Doesn’t sign anyone in: the next page leads to sign-in and the password reset. */
export const undoFactorAction = action(
  [nameArgument],
  async (token): Promise<FormAnswer<string>> => {
    return await unlessBusy(async () => {
      const origin = await getRequestOrigin();
      const outcome = await withOrigin(origin, () => undoFactorChange(token, origin.address));
      if (!outcome.ok) return refusedBy(outcome.code);
      return { ok: true, done: "/reset/factor?done" };
    });
  },
);

export const confirmEmailAction = action(
  [nameArgument],
  async (token): Promise<FormAnswer<string>> => {
    return await unlessBusy(async () => {
      const user = await requireOwner();
      const outcome = await confirmEmail(user, token, await getLocale());
      if (!outcome.ok) return refusedBy(outcome.code);
      return { ok: true, done: "/app" };
    });
  },
);

export const acceptInvitationAction = action(
  [nameArgument],
  async (token): Promise<FormAnswer<string>> => {
    return await unlessBusy(async () => {
      const user = await requireOwner();
      const origin = await getRequestOrigin();
      const outcome = await withOrigin(origin, () => acceptInvitation(user, token));
      if (!outcome.ok) return refusedBy(outcome.code);
      return { ok: true, done: `/app/${outcome.slug}/links` };
    });
  },
);
