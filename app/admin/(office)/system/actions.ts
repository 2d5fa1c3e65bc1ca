"use server";

import { z } from "zod";
import { dropJob, retryJob } from "#lib/office/system";
import { nameArgument } from "../../../action.ts";
import { officeAction, reasonArgument } from "../../office-action.ts";

const changes = { retry: retryJob, drop: dropJob };
export const changeJobAction = officeAction(
  [z.enum(["retry", "drop"]), nameArgument, nameArgument, reasonArgument],
  ["/admin/system"],
  (operator, verb, queue, id, fields) => changes[verb](operator, { queue, id }, fields.reason),
);
