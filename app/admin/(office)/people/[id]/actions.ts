"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import {
  addOperator,
  dropPersonFactor,
  endPersonSessions,
  removeOperator,
  resendConfirmation,
} from "#lib/office/people";
import { personChanges } from "#lib/office/people/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { parseForm } from "../../../../form-data.ts";
import { runAsOperator } from "../../../access.ts";

const changes = {
  resendConfirmation,
  endSessions: endPersonSessions,
  dropFactor: dropPersonFactor,
  addOperator,
  removeOperator,
};

const reasonForm = z.object({ reason: reasonField });

export const changePersonAction = action(
  [nameArgument, z.enum(personChanges), formArgument()],
  async (id, change, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, reasonForm, { reason: "reasonInvalid" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await changes[change](operator, id, parsed.value.reason);
      revalidatePath(`/admin/people/${id}`);
      return { ok: true, done: null };
    });
  },
);
