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
import { action, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

const phones = phonesBody.shape.phones.max(optOutPhonesPerForm);
const country = z.union([z.literal(""), countryCode]);

/** A part of a list: long ones take several calls. */
export const addOptOutsAction = action(
  [nameArgument, phones, country],
  async (slug, given, home): Promise<FormAnswer<AddedOptOuts>> => {
    return await runInWorkspace(slug, async (scope) => {
      const body = home === "" ? { phones: given } : { phones: given, country: home };
      const done = await addOptOuts(scope, body);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);

/** An action, and no address: a phone must not be in logs or in the history of a browser. */
export const findOptOutAction = action(
  [nameArgument, phonesBody.shape.phones.element, country],
  async (slug, phone, home): Promise<FormAnswer<OptOut | null>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: (await findOptOut(scope, phone, home)) ?? null };
    });
  },
);

export const deleteOptOutAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteOptOut(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
