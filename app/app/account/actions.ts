"use server";

import { getLocale } from "next-intl/server";
import { z } from "zod";
import type { FactorSecret } from "#components/accounts/factor-card";
import type { FormAnswer } from "#components/forms/form";
import { camelOf } from "#lib/basics/variants/schema";
import {
  changeName,
  changePassword,
  deleteAccount,
  requestEmailChange,
} from "#lib/identity/accounts";
import { newPassword, personName } from "#lib/identity/auth/schema";
import {
  addPasskeyFor,
  beginFactorFor,
  beginPasskeyFor,
  confirmFactorFor,
  dropFactorOf,
  removePasskeyOf,
  renewRecoveryOf,
} from "#lib/identity/factor-changes";
import {
  passkeyAnswerCharsMax,
  passkeyNameCharsMax,
  passkeysMax,
} from "#lib/identity/passkeys/schema";
import { endOtherSessions, endOwnSession } from "#lib/identity/sessions";
import { drawQr } from "#lib/outreach/qr";
import { action, formArgument, formOf, nameArgument } from "../../action.ts";
import { passwordField, refusedBy } from "../../refusals.ts";
import { refreshAccount, runAsUser } from "../access.ts";

const qrPixels = 192;

const fieldsOfCodes = {
  ...passwordField("passwordNext"),
  password_wrong: "passwordNow",
  email_invalid: "email",
};

function textOf(data: FormData, name: string): string {
  return String(data.get(name) ?? "");
}

const nameForm = z.object({ name: personName });

export const changeNameAction = action(
  [formOf(nameForm, { name: "nameMissing" })],
  async ({ name }): Promise<FormAnswer<null>> => {
    return await runAsUser(async (user) => {
      await changeName(user, name);
      refreshAccount();
      return { ok: true, done: null };
    });
  },
);

/** Returns the address the email was sent to. */
export const changeEmailAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<string>> => {
    return await runAsUser(async (user) => {
      const email = textOf(data, "email").trim();
      const password = textOf(data, "passwordNow");
      const outcome = await requestEmailChange(user, password, email, await getLocale());
      return outcome.ok ? { ok: true, done: email } : refusedBy(outcome.code, fieldsOfCodes);
    });
  },
);

export const confirmOwnEmailAction = action([], async (): Promise<FormAnswer<string>> => {
  return await runAsUser(async (user) => {
    const outcome = await requestEmailChange(user, "", user.email, await getLocale());
    return outcome.ok ? { ok: true, done: user.email } : refusedBy(outcome.code, fieldsOfCodes);
  });
});

const passwordForm = z.object({ passwordNow: z.string().default(""), passwordNext: newPassword });

export const changePasswordAction = action(
  [formOf(passwordForm, { passwordNext: "passwordShort" })],
  async (fields): Promise<FormAnswer<null>> => {
    const { passwordNow, passwordNext } = fields;
    return await runAsUser(async (user) => {
      const outcome = await changePassword(user, passwordNow, passwordNext, await getLocale());
      return outcome.ok ? { ok: true, done: null } : refusedBy(outcome.code, fieldsOfCodes);
    });
  },
);

export const beginFactorAction = action([], async (): Promise<FormAnswer<FactorSecret>> => {
  return await runAsUser(async (user) => {
    const factor = await beginFactorFor(user);
    if (!factor) return { ok: false, form: "notFound" };
    const picture = await drawQr({
      url: factor.address,
      size: qrPixels,
      level: "M",
      fgColor: "#000000",
      bgColor: "#ffffff",
      margin: 2,
      includeMargin: "true",
      format: "svg",
    });
    const body = Buffer.from(picture.body).toString("base64");
    return { ok: true, done: { secret: factor.secret, qr: `data:${picture.type};base64,${body}` } };
  });
});

export const confirmFactorAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<string[]>> => {
    return await runAsUser(async (user) => {
      const outcome = await confirmFactorFor(user, textOf(data, "code"), await getLocale());
      if (!outcome.ok) return { ok: false, fields: { code: camelOf(outcome.code) } };
      refreshAccount();
      return { ok: true, done: outcome.codes };
    });
  },
);

export const renewRecoveryAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<string[]>> => {
    return await runAsUser(async (user) => {
      const outcome = await renewRecoveryOf(user, textOf(data, "code"), await getLocale());
      if (!outcome.ok) return { ok: false, fields: { code: camelOf(outcome.code) } };
      refreshAccount();
      return { ok: true, done: outcome.codes };
    });
  },
);

export const dropFactorAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<null>> => {
    return await runAsUser(async (user) => {
      const outcome = await dropFactorOf(user, textOf(data, "code"), await getLocale());
      if (!outcome.ok) return { ok: false, fields: { code: camelOf(outcome.code) } };
      refreshAccount();
      return { ok: true, done: null };
    });
  },
);

export const beginPasskeyAction = action([], async () => {
  return await runAsUser(async (user) => ({ ok: true, done: await beginPasskeyFor(user) }));
});

const passkeyForm = z.object({
  name: z.string().trim().min(1).max(passkeyNameCharsMax),
  answer: z.string().max(passkeyAnswerCharsMax),
});

export const addPasskeyAction = action(
  [formOf(passkeyForm, { name: "nameMissing" })],
  async (fields): Promise<FormAnswer<null>> => {
    return await runAsUser(async (user) => {
      const outcome = await addPasskeyFor(user, fields, await getLocale());
      if (!outcome.ok) return { ...refusedBy(outcome.code), values: { max: passkeysMax } };
      refreshAccount();
      return { ok: true, done: null };
    });
  },
);

export const removePasskeyAction = action([nameArgument], async (id): Promise<FormAnswer<null>> => {
  return await runAsUser(async (user) => {
    const removed = await removePasskeyOf(user, id, await getLocale());
    refreshAccount();
    return removed ? { ok: true, done: null } : { ok: false, form: "notFound" };
  });
});

export const endSessionAction = action([nameArgument], async (id): Promise<FormAnswer<null>> => {
  return await runAsUser(async (user) => {
    const ended = await endOwnSession(user, id);
    refreshAccount();
    return ended ? { ok: true, done: null } : { ok: false, form: "notFound" };
  });
});

export const endOthersAction = action([], async (): Promise<FormAnswer<null>> => {
  return await runAsUser(async (user) => {
    await endOtherSessions(user);
    refreshAccount();
    return { ok: true, done: null };
  });
});

/** Returns the workspaces that prevent the deletion. If there are none, the account is deleted. */
export const deleteAccountAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<string[]>> => {
    return await runAsUser(async (user) => {
      const outcome = await deleteAccount(user, textOf(data, "passwordNow"));
      if (outcome.ok) return { ok: true, done: [] };
      return outcome.code === "owner"
        ? { ok: true, done: outcome.names }
        : refusedBy(outcome.code, fieldsOfCodes);
    });
  },
);
