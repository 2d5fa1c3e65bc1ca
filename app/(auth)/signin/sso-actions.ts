"use server";

import { getLocale } from "next-intl/server";
import { z } from "zod";
import type { FoundSso } from "#components/auth/sso-form";
import type { FormAnswer } from "#components/forms/form";
import { getRequestAddress, getRequestCookies } from "#lib/identity/auth";
import {
  connectAccount,
  findSignInProvider,
  openByException,
  openConnection,
} from "#lib/identity/single-sign-on";
import { action, formOf, nameArgument } from "../../action.ts";
import { runAsUser } from "../../app/access.ts";
import { refusedBy } from "../../refusals.ts";
import { unlessBusy } from "../busy.ts";

const wordCharsMax = 255;
const wordForm = z.object({ word: z.string().max(wordCharsMax) });

export const findSsoAction = action(
  [formOf(wordForm, { word: "ssoUnknown" })],
  async ({ word }): Promise<FormAnswer<FoundSso>> => {
    return await unlessBusy(async () => {
      const outcome = await findSignInProvider(word, await getRequestAddress());
      if (!outcome.ok) return refusedBy(outcome.code);
      const { provider, workspace } = outcome.found;
      return { ok: true, done: { provider, next: `/app/${workspace.slug}/links` } };
    });
  },
);

/** Returns the page to open. */
export const openByExceptionAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<string>> => {
    return await runAsUser(async (user) => {
      await openByException(user, slug);
      return { ok: true, done: `/app/${slug}/links` };
    });
  },
);

/** Returns the page that the connected account may open. */
export const connectAction = action([], async (): Promise<FormAnswer<string>> => {
  return await runAsUser(async (user) => {
    const pending = openConnection(await getRequestCookies());
    if (!pending) return { ok: false, form: "expired" };
    const { workspace } = await connectAccount(user, pending, await getLocale());
    return { ok: true, done: `/signin/sso?workspace=${workspace.slug}` };
  });
});
