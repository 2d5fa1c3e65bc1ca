"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import {
  changeDestinationList,
  openInstanceLists,
  pollDestinationList,
} from "#lib/destinations/lists";
import { changeListBody, instanceListKinds } from "#lib/destinations/lists/schema";
import { disableRefused } from "#lib/office/refused-links";
import { disableRefusedBody } from "#lib/office/refused-links/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
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
  [z.enum(instanceListKinds), formArgument()],
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

/** Reads the source of a list now. */
export const pollInstanceListAction = action(
  [z.enum(instanceListKinds)],
  async (kind): Promise<FormAnswer<null>> => {
    return await runAsOperator(async (operator) => {
      await pollDestinationList(openInstanceLists(operator), kind);
      revalidatePath("/admin/lists");
      return { ok: true, done: null };
    });
  },
);

const disableForm = disableRefusedBody.pick({ reason: true });

/** Turns off the links that the lists refuse: of one workspace, or (`""`) of all. */
export const disableRefusedLinksAction = action(
  [nameArgument, formArgument()],
  async (workspace, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, disableForm, { reason: "reasonInvalid" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      const { reason } = parsed.value;
      await disableRefused(operator, { workspace: workspace || null, reason });
      revalidatePath("/admin/lists/refused");
      return { ok: true, done: null };
    });
  },
);
