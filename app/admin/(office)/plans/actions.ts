"use server";

import type { FormAnswer } from "#components/forms/form";
import { AppError } from "#lib/platform/errors";
import { setPlan } from "#lib/tenancy/plan-changes";
import { setPlanBody } from "#lib/tenancy/plan-changes/schema";
import { limitNames } from "#lib/tenancy/plans/schema";
import { action, formArgument, nameArgument, readBy } from "../../../action.ts";
import { byField, parseBody } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const unlimited = "unlimited";

export const setPlanAction = action(
  [
    nameArgument,
    readBy(formArgument(), (data) => parseBody(bodyOf(data), setPlanBody, byField(messages))),
  ],
  async (workspaceId, fields): Promise<FormAnswer<null>> => {
    return await runAsOperator(async (operator) => {
      const change = setPlan(operator, workspaceId, fields);
      return await change.then(() => ({ ok: true, done: null }), failureOf);
    });
  },
);

/** Returns errors that the person can correct, and throws all others. */
function failureOf(error: unknown): FormAnswer<null> {
  if (!(error instanceof AppError)) throw error;
  if (error.problem?.code === "had_trial") return { ok: false, fields: { plan: "hadTrial" } };
  if (error.code === "conflict") return { ok: false, fields: { invoice: "invoiceKnown" } };
  if (error.code === "unprocessable_entity") {
    return { ok: false, fields: { endsAt: "planDatePast" } };
  }
  throw error;
}

/** The body of the same API call. Empty fields are omitted. */
function bodyOf(data: FormData): unknown {
  const text = (name: string) => String(data.get(name) ?? "").trim();
  const limits = limitNames.flatMap((name) => {
    const value = text(`limit.${name}`);
    if (value === "") return [];
    return [[name, value === unlimited ? null : Number(value)]];
  });
  const [number, amount, currency] = [text("invoice"), text("amount"), text("currency")];
  return {
    plan: text("plan"),
    reason: text("reason"),
    limits: Object.fromEntries(limits),
    // The plan includes its last day.
    endsAt: text("endsAt") === "" ? null : `${text("endsAt")}T23:59:59Z`,
    invoice: number === "" ? null : { number, amount, currency: currency.toUpperCase() },
  };
}

const messages = {
  reason: "reasonMissing",
  endsAt: "planDatePast",
  limits: "planLimitsInvalid",
  invoice: "invoiceInvalid",
} as const;
