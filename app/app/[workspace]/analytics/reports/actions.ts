"use server";

import { setTrafficAlert } from "#lib/analytics/traffic-alerts";
import { trafficAlertBody } from "#lib/analytics/traffic-alerts/schema";
import * as verbs from "#lib/outreach/email-reports";
import { reportBody, reportOptions } from "#lib/outreach/email-reports/schema";
import { formArgument, nameArgument, readBy } from "../../../../action.ts";
import { byField, parseJsonField } from "../../../../form-data.ts";
import { changeAction, readAction } from "../../../workspace-action.ts";

const messages = { emails: "emailInvalid", recipients: "reportRecipients" } as const;
const report = readBy(formArgument(), (data) =>
  parseJsonField(data.get("report"), reportBody, byField(messages)),
);

export const setAlertsAction = changeAction([trafficAlertBody], setTrafficAlert);

export const createReportAction = changeAction([report], verbs.createReport);

export const editReportAction = changeAction([nameArgument, report], verbs.editReport);

export const deleteReportAction = changeAction([nameArgument], verbs.deleteReport);

export const previewReportAction = readAction([reportOptions], verbs.previewReport);
