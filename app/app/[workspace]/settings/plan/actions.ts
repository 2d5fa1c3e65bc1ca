"use server";

import { openPortal, startCheckout } from "#lib/tenancy/billing";
import { nameArgument } from "../../../../action.ts";
import { answerAction } from "../../../workspace-action.ts";

/** Returns the URL of the Stripe page to open. */
export const startCheckoutAction = answerAction([nameArgument], async (scope, offer) => ({
  ok: true,
  done: await startCheckout(scope, offer),
}));

export const openPortalAction = answerAction([], async (scope) => ({
  ok: true,
  done: await openPortal(scope),
}));
