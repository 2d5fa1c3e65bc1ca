"use server";

import { revalidatePath } from "next/cache";
import type { FormAnswer } from "#components/forms/form";
import { decideReports } from "#lib/office/reports";
import { decideReportsBody } from "#lib/office/reports/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

export const decideReportsAction = action(
  [nameArgument, formArgument()],
  async (linkId, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, decideReportsBody, { note: "reasonShort" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await decideReports(operator, linkId, parsed.value);
      revalidatePath("/admin/reports");
      return { ok: true, done: null };
    });
  },
);
