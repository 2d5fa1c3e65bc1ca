"use server";

/** The actions of the dialog that asks people to prove their identity before a sensitive change. */
import { getLocale } from "next-intl/server";
import { z } from "zod";
import type { FormAnswer, FormFailure } from "#components/forms/form";
import { requestEmail } from "#lib/identity/accounts";
import { getRequestAddress, getRequestCookies } from "#lib/identity/auth";
import { passkeyAnswerCharsMax } from "#lib/identity/passkeys/schema";
import {
  askPresence,
  checkCode,
  findMissingProofOf,
  provePresence,
  provePresenceByPasskey,
} from "#lib/identity/presence";
import type { MissingPresence } from "#lib/identity/presence/schema";
import type { ErrorMessageCode } from "#lib/platform/messages/schema";
import { freshMinutes } from "#lib/tenancy/live-actors";
import { action, formArgument, nameArgument } from "./action.ts";
import { runAsAnyone, runAsUser } from "./app/access.ts";
import { refusedBy } from "./refusals.ts";

export const findProofAction = action([], async (): Promise<FormAnswer<MissingPresence>> => {
  return await runAsAnyone(async (user) => ({ ok: true, done: await findMissingProofOf(user) }));
});

function refusedProof(code: ErrorMessageCode): FormFailure {
  const failure = refusedBy(code, { password_wrong: "passwordNow", code_wrong: "code" });
  return { ...failure, values: { minutes: freshMinutes } };
}

export const proveAction = action([formArgument()], async (data): Promise<FormAnswer<null>> => {
  return await runAsAnyone(async (user) => {
    const outcome = await provePresence(user, {
      password: String(data.get("passwordNow") ?? ""),
      code: String(data.get("code") ?? ""),
    });
    return outcome.ok ? { ok: true, done: null } : refusedProof(outcome.code);
  });
});

export const askPresenceAction = action([], async () => {
  return await runAsAnyone(async (user) => ({ ok: true, done: await askPresence(user) }));
});

/** A passkey proves everything, also to the back office. */
export const provePasskeyAction = action(
  [z.string().max(passkeyAnswerCharsMax)],
  async (answer): Promise<FormAnswer<null>> => {
    return await runAsAnyone(async (user) => {
      const outcome = await provePresenceByPasskey(user, answer);
      return outcome.ok ? { ok: true, done: null } : refusedProof(outcome.code);
    });
  },
);

/** Checks only a code of the second factor, which the back office requests again from time to time. */
export const proveFactorAction = action([nameArgument], async (code): Promise<FormAnswer<null>> => {
  return await runAsUser(async (user) => {
    const outcome = await checkCode(user, code);
    return outcome.ok ? { ok: true, done: null } : refusedProof(outcome.code);
  });
});

/** For accounts with neither a password nor a second factor: the emailed link signs in, which proves who owns the account. */
export const sendSignInAction = action([], async (): Promise<FormAnswer<string>> => {
  return await runAsUser(async (user) => {
    const locale = await getLocale();
    const [address, cookies] = await Promise.all([getRequestAddress(), getRequestCookies()]);
    const outcome = await requestEmail("signin", user.email, locale, address, cookies);
    return outcome.ok ? { ok: true, done: user.email } : refusedBy(outcome.code);
  });
});
