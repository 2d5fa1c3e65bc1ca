"use server";

import { disableLink } from "#lib/office/links";
import { nameArgument } from "../../../action.ts";
import { officeAction, reasonArgument } from "../../office-action.ts";

export const disableLinkAction = officeAction(
  [nameArgument, reasonArgument],
  ["/admin/links", "layout"],
  (operator, id, { reason }) => disableLink(operator, id, reason),
);
