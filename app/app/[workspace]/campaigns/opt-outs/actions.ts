"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { addOptOuts, deleteOptOut, findOptOut } from "#lib/outreach/opt-outs";
import * as fields from "#lib/outreach/opt-outs/schema";
import { nameArgument } from "../../../../action.ts";
import { changeAction, formAction, readAction } from "../../../workspace-action.ts";

const phones = fields.phonesBody.shape.phones.max(fields.optOutPhonesPerForm);
const country = z.union([z.literal(""), fields.countryCode]);

/** Adds one part of a list. Long lists take several calls. */
export const addOptOutsAction = formAction(
  [phones, country],
  async (scope, given, home): Promise<FormAnswer<fields.AddedOptOuts>> => {
    const body = home === "" ? { phones: given } : { phones: given, country: home };
    const done = await addOptOuts(scope, body);
    return { ok: true, done };
  },
);

/** An action, not a URL: logs and the history of a browser must not contain phones. */
export const findOptOutAction = readAction(
  [fields.phonesBody.shape.phones.element, country],
  async (scope, phone, home): Promise<fields.OptOut | null> =>
    (await findOptOut(scope, phone, home)) ?? null,
);

export const deleteOptOutAction = changeAction([nameArgument], deleteOptOut);
