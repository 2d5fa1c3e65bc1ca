"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { switchFeature } from "#lib/tenancy/features";
import { featureNames } from "#lib/tenancy/features/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { action, formArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const reasonForm = z.object({ reason: reasonField });

export const switchFeatureAction = action(
  [z.enum(featureNames), z.boolean(), formArgument()],
  async (name, enabled, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, reasonForm, { reason: "reasonInvalid" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await switchFeature(operator, name, { enabled, reason: parsed.value.reason });
      revalidatePath("/", "layout");
      return { ok: true, done: null };
    });
  },
);
