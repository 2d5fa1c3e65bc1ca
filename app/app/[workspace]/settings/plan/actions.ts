"use server";

import type { FormAnswer } from "#components/forms/form";
import { openPortal, startCheckout } from "#lib/tenancy/billing";
import { action, nameArgument } from "../../../../action.ts";
import { runInWorkspace } from "../../../access.ts";

/** Answers with the page of Stripe to open. */
export const startCheckoutAction = action(
  [nameArgument, nameArgument],
  async (slug, offer): Promise<FormAnswer<string>> => {
    return await runInWorkspace(slug, async (scope) => ({
      ok: true,
      done: await startCheckout(scope, offer),
    }));
  },
);

export const openPortalAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<string>> => {
    return await runInWorkspace(slug, async (scope) => ({
      ok: true,
      done: await openPortal(scope),
    }));
  },
);
