/** Finds the administrator of a request, which is the first step of every page and action of the back office. */
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { FormAnswer } from "#components/forms/form";
import { getRequestOrigin, getSessionUser } from "#lib/identity/auth";
import { type OperatorAccess, type OperatorScope, openOperator } from "#lib/tenancy/operators";
import { runAsUser } from "../app/access.ts";

/** Undefined if nobody is signed in. */
export const findOperatorAccess = cache(async (): Promise<OperatorAccess | undefined> => {
  const user = await getSessionUser();
  return user && (await openOperator(user, await getRequestOrigin()));
});

/** For everyone else, signed in or not, the page does not exist. */
export async function requireOperator(): Promise<OperatorScope> {
  const access = await findOperatorAccess();
  if (access?.ok) return access.operator;
  if (!access || access.code === "hidden") return notFound();
  return redirect("/admin/second-factor");
}

const messages = {
  hidden: "notFound",
  factor_missing: "factorMissing",
  factor_due: "proofNeeded",
} as const;

/** Runs an action of an administrator. Other signed-in people get `notFound`. */
export async function runAsOperator<Done>(
  run: (operator: OperatorScope) => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  return await runAsUser(async (user) => {
    const access = await openOperator(user, await getRequestOrigin());
    if (access.ok) return await run(access.operator);
    return { ok: false, form: messages[access.code] };
  });
}
