"use server";

import type { z } from "zod";
import { AppError } from "#lib/platform/errors";
import { setPlan } from "#lib/tenancy/plan-changes";
import { setPlanBody } from "#lib/tenancy/plan-changes/schema";
import { limitNames } from "#lib/tenancy/plans/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { runAsOperator } from "../../access.ts";

const unlimited = "unlimited";

export const setPlanAction = action(
  [nameArgument, formArgument()],
  async (workspaceId, data): Promise<FormAnswer<null>> => {
    const parsed = setPlanBody.safeParse(bodyOf(data));
    if (!parsed.success) return { ok: false, fields: fieldsOf(parsed.error) };
    return await runAsOperator(async (operator) => {
      const failure = await setPlan(operator, workspaceId, parsed.data).then(
        () => undefined,
        failureOf,
      );
      return failure ?? { ok: true, done: null };
    });
  },
);

/** What the person can correct; any other error is thrown. */
function failureOf(error: unknown): FormAnswer<null> {
  if (!(error instanceof AppError)) throw error;
  if (error.problem?.code === "had_trial") return { ok: false, fields: { plan: "hadTrial" } };
  if (error.code === "conflict") return { ok: false, fields: { invoice: "invoiceKnown" } };
  if (error.code === "unprocessable_entity") {
    return { ok: false, fields: { endsAt: "planDatePast" } };
  }
  throw error;
}

/** The body of the same call of the API. Empty fields are omitted. */
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
    // The whole day counts.
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

function fieldsOf(
  error: z.ZodError,
): Readonly<Record<string, (typeof messages)[keyof typeof messages]>> {
  return Object.fromEntries(
    error.issues.flatMap(({ path: [field] }) => {
      const name = Object.keys(messages).find((one) => one === field);
      return name ? [[name, messageOf(name)]] : [];
    }),
  );
}

function messageOf(name: string) {
  if (name === "reason" || name === "endsAt" || name === "limits") return messages[name];
  return messages.invoice;
}
