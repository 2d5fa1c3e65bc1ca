"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { changeDestinationList, openInstanceLists } from "#lib/links/destination-lists";
import { changeListBody, listKinds } from "#lib/links/destination-lists/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { action, formArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const entries = z
  .string()
  .default("")
  .transform((text) => text.split("\n").filter((line) => line.trim() !== ""));

const listForm = z.object({
  add: entries.pipe(changeListBody.shape.add.unwrap()),
  remove: entries.pipe(changeListBody.shape.remove.unwrap()),
  reason: reasonField,
});

export const changeInstanceListAction = action(
  [z.enum(listKinds), formArgument()],
  async (kind, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, listForm, {
      add: "entryEmpty",
      remove: "entryEmpty",
      reason: "reasonInvalid",
    });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      const { reason, ...change } = parsed.value;
      await changeDestinationList(openInstanceLists(operator, reason), kind, change);
      revalidatePath("/admin/lists");
      return { ok: true, done: null };
    });
  },
);
