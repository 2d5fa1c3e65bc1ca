"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import * as verbs from "#lib/outreach/sending";
import {
  type StartSending,
  settleBody,
  startSendingBody,
  testMessageBody,
} from "#lib/outreach/sending/schema";
import { nameArgument, readBy } from "../../../../action.ts";
import { byField, type ParsedForm, parseBody } from "../../../../form-data.ts";
import { changeAction, formAction, readAction } from "../../../workspace-action.ts";

const timeCharsMax = 40;

/** Checked by the action itself, so that a wrong field gets its own error. */
const startArgument = z.strictObject({
  gatewayId: nameArgument,
  at: z.string().max(timeCharsMax).optional(),
  rate: z.number(),
  quietHours: z
    .strictObject({ from: z.string().max(timeCharsMax), until: z.string().max(timeCharsMax) })
    .optional(),
});

const messages = { at: "sendingTime", rate: "gatewayRate", quietHours: "quietTimes" } as const;

function parseStart(given: z.output<typeof startArgument>): ParsedForm<StartSending> {
  return parseBody(given, startSendingBody, byField(messages));
}

export const tryStartAction = readAction(
  [nameArgument, readBy(startArgument, parseStart)],
  verbs.tryStart,
);

export const startSendingAction = changeAction(
  [nameArgument, readBy(startArgument, parseStart)],
  verbs.startSending,
);

export const pauseSendingAction = changeAction([nameArgument], verbs.pauseCampaign);

export const resumeSendingAction = changeAction([nameArgument], verbs.resumeCampaign);

export const cancelSendingAction = changeAction([nameArgument], verbs.cancelCampaign);

export const sendTestAction = readAction([nameArgument, testMessageBody], verbs.sendTest);

export const settleSendsAction = formAction(
  [nameArgument, settleBody],
  async (scope, id, body): Promise<FormAnswer<{ settled: number }>> => {
    const done = await verbs.settleSends(scope, id, body);
    return { ok: true, done };
  },
);
