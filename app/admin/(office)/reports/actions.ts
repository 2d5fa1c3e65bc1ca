"use server";

import { decideReports } from "#lib/office/reports";
import { decideReportsBody } from "#lib/office/reports/schema";
import { formOf, nameArgument } from "../../../action.ts";
import { officeAction } from "../../office-action.ts";

export const decideReportsAction = officeAction(
  [nameArgument, formOf(decideReportsBody, { note: "reasonShort" })],
  ["/admin/reports"],
  (operator, linkId, fields) => decideReports(operator, linkId, fields),
);
