"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { addOptOuts, deleteOptOut, findOptOut } from "#lib/outreach/opt-outs";
import {
  type AddedOptOuts,
  countryCode,
  type OptOut,
  optOutPhonesPerForm,
  phonesBody,
} from "#lib/outreach/opt-outs/schema";
import { nameArgument } from "../../../../action.ts";
import { changeAction, formAction, readAction } from "../../../workspace-action.ts";

const phones = phonesBody.shape.phones.max(optOutPhonesPerForm);
const country = z.union([z.literal(""), countryCode]);

/** A part of a list: long ones take several calls. */
export const addOptOutsAction = formAction(
  [phones, country],
  async (scope, given, home): Promise<FormAnswer<AddedOptOuts>> => {
    const body = home === "" ? { phones: given } : { phones: given, country: home };
    const done = await addOptOuts(scope, body);
    return { ok: true, done };
  },
);

/** An action, and no address: a phone must not be in logs or in the history of a browser. */
export const findOptOutAction = readAction(
  [phonesBody.shape.phones.element, country],
  async (scope, phone, home): Promise<OptOut | null> =>
    (await findOptOut(scope, phone, home)) ?? null,
);

export const deleteOptOutAction = changeAction([nameArgument], deleteOptOut);
