"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { approveKey, declineKey } from "#lib/identity/api-keys";
import { reasonField } from "#lib/tenancy/operators/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const decisions = { approve: approveKey, decline: declineKey };
const reasonForm = z.object({ reason: reasonField });

export const decideKeyAction = action(
  [z.enum(["approve", "decline"]), nameArgument, formArgument()],
  async (decision, id, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, reasonForm, { reason: "reasonInvalid" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await decisions[decision](operator, id, parsed.value.reason);
      revalidatePath("/admin/api-keys");
      return { ok: true, done: null };
    });
  },
);
