"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { createBan, decideAppeal, liftBan } from "#lib/office/bans";
import { banBody, decideAppealBody, liftBody } from "#lib/tenancy/bans/schema";
import { action, formOf, nameArgument } from "../../../action.ts";
import { runAsOperator } from "../../access.ts";
import { officeAction } from "../../office-action.ts";

const page = "/admin/bans";
const dateCharsMax = 40;

/** The browser sends a date and time without a zone. It is meant as UTC. */
const banForm = banBody.extend({
  endsAt: z
    .string()
    .max(dateCharsMax)
    .transform((text) => `${text}:00Z`)
    .pipe(z.iso.datetime())
    .optional(),
});

export const createBanAction = action(
  [formOf(banForm, { subject: "banSubjectMissing", note: "reasonShort", endsAt: "banEndPast" })],
  async (fields): Promise<FormAnswer<string>> => {
    return await runAsOperator(async (operator) => {
      const { name } = await createBan(operator, fields);
      revalidatePath(page);
      return { ok: true, done: name };
    });
  },
);

export const liftBanAction = officeAction(
  [nameArgument, formOf(liftBody, { note: "reasonShort" })],
  [page],
  (operator, id, fields) => liftBan(operator, id, fields.note),
);

const appealForm = z.object({
  note: decideAppealBody.shape.note,
  decision: z.enum(["accept", "decline"]),
});

export const decideAppealAction = officeAction(
  [nameArgument, nameArgument, formOf(appealForm, { note: "reasonShort" })],
  [page],
  (operator, banId, userId, { note, decision }) =>
    decideAppeal(operator, banId, { userId, accept: decision === "accept", note }),
);
