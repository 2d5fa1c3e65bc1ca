"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { dropJob, retryJob } from "#lib/office/system";
import { reasonField } from "#lib/tenancy/operators/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const changes = { retry: retryJob, drop: dropJob };
const reasonForm = z.object({ reason: reasonField });

export const changeJobAction = action(
  [z.enum(["retry", "drop"]), nameArgument, nameArgument, formArgument()],
  async (verb, queue, id, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, reasonForm, { reason: "reasonInvalid" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await changes[verb](operator, { queue, id }, parsed.value.reason);
      revalidatePath("/admin/system");
      return { ok: true, done: null };
    });
  },
);
