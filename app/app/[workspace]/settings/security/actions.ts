"use server";

import { getLocale } from "next-intl/server";
import { z } from "zod";
import {
  askForEmail,
  beginFactorFor,
  changePassword,
  confirmFactorFor,
  deleteAccount,
  dropFactorOf,
  renewRecoveryOf,
} from "#lib/identity/accounts";
import { newPassword } from "#lib/identity/auth/schema";
import { endOtherSessions, endOwnSession } from "#lib/identity/sessions";
import { drawQr } from "#lib/outreach/qr";
import type { FactorSecret } from "../../../../../components/accounts/factor-dialog.tsx";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { parseForm } from "../../../../form-data.ts";
import { answerTo, renewPages } from "../../../seat.ts";

const qrPixels = 192;
const words = { code_wrong: "codeWrong", too_many: "tooManyAttempts" } as const;

/** A wrong password is an error of its field, all others of the whole form. */
function refuse(code: "wrong" | "too_many" | "email_invalid"): FormAnswer<never> {
  if (code === "wrong") return { ok: false, fields: { passwordNow: "passwordWrong" } };
  if (code === "email_invalid") return { ok: false, fields: { email: "emailInvalid" } };
  return { ok: false, form: "tooManyAttempts" };
}

function textOf(data: FormData, name: string): string {
  return String(data.get(name) ?? "");
}

/** Returns the address the email was sent to. */
export async function changeEmailAction(data: FormData): Promise<FormAnswer<string>> {
  return await answerTo(async (user) => {
    const email = textOf(data, "email").trim();
    const password = textOf(data, "passwordNow");
    const outcome = await askForEmail(user, password, email, await getLocale());
    return outcome.ok ? { ok: true, done: email } : refuse(outcome.code);
  });
}

export async function confirmOwnEmailAction(): Promise<FormAnswer<string>> {
  return await answerTo(async (user) => {
    const outcome = await askForEmail(user, "", user.email, await getLocale());
    return outcome.ok ? { ok: true, done: user.email } : refuse(outcome.code);
  });
}

const passwordForm = z.object({ passwordNow: z.string().default(""), passwordNext: newPassword });

export async function changePasswordAction(data: FormData): Promise<FormAnswer<null>> {
  const parsed = parseForm(data, passwordForm, { passwordNext: "passwordShort" });
  if (!parsed.ok) return parsed;
  const { passwordNow, passwordNext } = parsed.value;
  return await answerTo(async (user) => {
    const outcome = await changePassword(user, passwordNow, passwordNext, await getLocale());
    return outcome.ok ? { ok: true, done: null } : refuse(outcome.code);
  });
}

export async function beginFactorAction(): Promise<FormAnswer<FactorSecret>> {
  return await answerTo(async (user) => {
    const begun = await beginFactorFor(user);
    if (!begun) return { ok: false, form: "gone" };
    const picture = await drawQr({
      url: begun.address,
      size: qrPixels,
      level: "M",
      fgColor: "#000000",
      bgColor: "#ffffff",
      margin: 2,
      includeMargin: "true",
      format: "svg",
    });
    const body = Buffer.from(picture.body).toString("base64");
    return { ok: true, done: { secret: begun.secret, qr: `data:${picture.type};base64,${body}` } };
  });
}

export async function confirmFactorAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<string[]>> {
  return await answerTo(async (user) => {
    const outcome = await confirmFactorFor(user, textOf(data, "code"), await getLocale());
    if (!outcome.ok) return { ok: false, fields: { code: words[outcome.code] } };
    renewPages(slug);
    return { ok: true, done: outcome.codes };
  });
}

export async function renewRecoveryAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<string[]>> {
  return await answerTo(async (user) => {
    const outcome = await renewRecoveryOf(user, textOf(data, "code"));
    if (!outcome.ok) return { ok: false, fields: { code: words[outcome.code] } };
    renewPages(slug);
    return { ok: true, done: outcome.codes };
  });
}

export async function dropFactorAction(slug: string, data: FormData): Promise<FormAnswer<null>> {
  return await answerTo(async (user) => {
    const outcome = await dropFactorOf(user, textOf(data, "code"), await getLocale());
    if (!outcome.ok) return { ok: false, fields: { code: words[outcome.code] } };
    renewPages(slug);
    return { ok: true, done: null };
  });
}

export async function endSessionAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await answerTo(async (user) => {
    const ended = await endOwnSession(user, String(id));
    renewPages(slug);
    return ended ? { ok: true, done: null } : { ok: false, form: "gone" };
  });
}

export async function endOthersAction(slug: string): Promise<FormAnswer<null>> {
  return await answerTo(async (user) => {
    await endOtherSessions(user);
    renewPages(slug);
    return { ok: true, done: null };
  });
}

/** Returns the workspaces that prevent the deletion; none: the account is deleted. */
export async function deleteAccountAction(data: FormData): Promise<FormAnswer<string[]>> {
  return await answerTo(async (user) => {
    const outcome = await deleteAccount(user, textOf(data, "passwordNow"));
    if (outcome.ok) return { ok: true, done: [] };
    return outcome.code === "owner" ? { ok: true, done: outcome.names } : refuse(outcome.code);
  });
}
