import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { OperatorScope } from "#lib/tenancy/operators";
import { reasonField } from "#lib/tenancy/operators/schema";
import { type Arguments, action, formOf, type Values } from "../action.ts";
import { runAsOperator } from "./access.ts";

export const reasonArgument = formOf(z.object({ reason: reasonField }), {
  reason: "reasonInvalid",
});

/** Refreshes a page, or the pages below a layout, after the change. */
export function officeAction<const List extends Arguments>(
  list: List,
  pages: Parameters<typeof revalidatePath>,
  run: (operator: OperatorScope, ...values: Values<List>) => Promise<unknown>,
) {
  return action<List, null>(list, (...values) =>
    runAsOperator(async (operator) => {
      await run(operator, ...values);
      revalidatePath(...pages);
      return { ok: true, done: null };
    }),
  );
}
