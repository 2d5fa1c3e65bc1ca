"use server";

import { z } from "zod";
import {
  changeDestinationList,
  openInstanceLists,
  pollDestinationList,
} from "#lib/destinations/lists";
import { changeListBody, instanceListKinds } from "#lib/destinations/lists/schema";
import { disableRefused } from "#lib/office/refused-links";
import { reasonField } from "#lib/tenancy/operators/schema";
import { formOf, nameArgument } from "../../../action.ts";
import { officeAction, reasonArgument } from "../../office-action.ts";

const entries = z
  .string()
  .default("")
  .transform((text) => text.split("\n").filter((line) => line.trim() !== ""));

const listForm = z.object({
  add: entries.pipe(changeListBody.shape.add.unwrap()),
  remove: entries.pipe(changeListBody.shape.remove.unwrap()),
  reason: reasonField,
});

export const changeInstanceListAction = officeAction(
  [
    z.enum(instanceListKinds),
    formOf(listForm, { add: "entryEmpty", remove: "entryEmpty", reason: "reasonInvalid" }),
  ],
  ["/admin/lists"],
  (operator, kind, { reason, ...change }) =>
    changeDestinationList(openInstanceLists(operator, reason), kind, change),
);

export const pollInstanceListAction = officeAction(
  [z.enum(instanceListKinds)],
  ["/admin/lists"],
  (operator, kind) => pollDestinationList(openInstanceLists(operator), kind),
);

/** Turns off the links that the lists refuse, in one workspace or (`""`) in all. */
export const disableRefusedLinksAction = officeAction(
  [nameArgument, reasonArgument],
  ["/admin/lists/refused"],
  (operator, workspace, { reason }) =>
    disableRefused(operator, { workspace: workspace || null, reason }),
);
