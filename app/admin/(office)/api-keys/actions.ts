"use server";

import { z } from "zod";
import { approveKey, declineKey } from "#lib/identity/api-keys";
import { nameArgument } from "../../../action.ts";
import { officeAction, reasonArgument } from "../../office-action.ts";

const decisions = { approve: approveKey, decline: declineKey };
export const decideKeyAction = officeAction(
  [z.enum(["approve", "decline"]), nameArgument, reasonArgument],
  ["/admin/api-keys"],
  (operator, decision, id, fields) => decisions[decision](operator, id, fields.reason),
);
