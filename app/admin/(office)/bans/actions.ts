"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { createBan, decideAppeal, liftBan } from "#lib/office/bans";
import { banBody, decideAppealBody, liftBody } from "#lib/tenancy/bans/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const page = "/admin/bans";
const dateCharsMax = 40;

/** The browser sends a date and time without a zone, in UTC. */
const banForm = banBody.extend({
  endsAt: z
    .string()
    .max(dateCharsMax)
    .transform((text) => `${text}:00Z`)
    .pipe(z.iso.datetime())
    .optional(),
});

export const createBanAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<string>> => {
    const messages = {
      subject: "banSubjectMissing",
      note: "reasonShort",
      endsAt: "banEndPast",
    } as const;
    const parsed = parseForm(data, banForm, messages);
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      const { name } = await createBan(operator, parsed.value);
      revalidatePath(page);
      return { ok: true, done: name };
    });
  },
);

export const liftBanAction = action(
  [nameArgument, formArgument()],
  async (id, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, liftBody, { note: "reasonShort" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await liftBan(operator, id, parsed.value.note);
      revalidatePath(page);
      return { ok: true, done: null };
    });
  },
);

const appealForm = z.object({
  note: decideAppealBody.shape.note,
  decision: z.enum(["accept", "decline"]),
});

export const decideAppealAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (banId, userId, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, appealForm, { note: "reasonShort" });
    if (!parsed.ok) return parsed;
    const { note, decision } = parsed.value;
    return await runAsOperator(async (operator) => {
      await decideAppeal(operator, banId, { userId, accept: decision === "accept", note });
      revalidatePath(page);
      return { ok: true, done: null };
    });
  },
);
