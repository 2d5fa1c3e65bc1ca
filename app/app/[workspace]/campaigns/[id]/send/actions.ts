"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  sendTest,
  settleSends,
  startSending,
  tryStart,
} from "#lib/outreach/sending";
import {
  type DryRun,
  type StartSending,
  settleBody,
  startSendingBody,
  type TestedMessage,
  testMessageBody,
} from "#lib/outreach/sending/schema";
import { action, nameArgument } from "../../../../../action.ts";
import { byField, type ParsedForm, parseBody } from "../../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../../access.ts";

const timeCharsMax = 40;

/** As it is in the form: what is wrong with a field is an error of that field. */
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

export const tryStartAction = action(
  [nameArgument, nameArgument, startArgument],
  async (slug, id, given): Promise<FormAnswer<DryRun>> => {
    const body = parseStart(given);
    if (!body.ok) return body;
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: await tryStart(scope, id, body.value) };
    });
  },
);

export const startSendingAction = action(
  [nameArgument, nameArgument, startArgument],
  async (slug, id, given): Promise<FormAnswer<null>> => {
    const body = parseStart(given);
    if (!body.ok) return body;
    return await runInWorkspace(slug, async (scope) => {
      await startSending(scope, id, body.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const pauseSendingAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await pauseCampaign(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const resumeSendingAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await resumeCampaign(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const cancelSendingAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await cancelCampaign(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const sendTestAction = action(
  [nameArgument, nameArgument, testMessageBody],
  async (slug, id, body): Promise<FormAnswer<TestedMessage>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: await sendTest(scope, id, body) };
    });
  },
);

export const settleSendsAction = action(
  [nameArgument, nameArgument, settleBody],
  async (slug, id, body): Promise<FormAnswer<{ settled: number }>> => {
    return await runInWorkspace(slug, async (scope) => {
      const done = await settleSends(scope, id, body);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);
