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
import { action, nameArgument } from "../../../../action.ts";
import { runAsOperator } from "../../../access.ts";
import { reasonArgument } from "../../../office-action.ts";

const changes = {
  resendConfirmation,
  endSessions: endPersonSessions,
  dropFactor: dropPersonFactor,
  addOperator,
  removeOperator,
};

export const changePersonAction = action(
  [nameArgument, z.enum(personChanges), reasonArgument],
  async (id, change, fields): Promise<FormAnswer<null>> => {
    return await runAsOperator(async (operator) => {
      await changes[change](operator, id, fields.reason);
      revalidatePath(`/admin/people/${id}`);
      return { ok: true, done: null };
    });
  },
);
