"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import type { CreatedWebhook } from "#components/webhooks/webhook-manager";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  findDelivery,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
} from "#lib/outreach/webhooks";
import {
  createWebhookBody,
  type Delivery,
  editWebhookBody,
  rotateWebhookForm,
} from "#lib/outreach/webhooks/schema";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { formArgument, formOf, nameArgument, readBy } from "../../../../action.ts";
import { changeAction, formAction, readAction } from "../../../workspace-action.ts";
import { readWebhook } from "./read-webhook.ts";

export const createWebhookAction = formAction(
  [readBy(formArgument(), (data) => readWebhook(data, createWebhookBody))],
  async (scope, given): Promise<FormAnswer<CreatedWebhook>> => {
    const { id, secret } = await createWebhook(scope, given);
    return { ok: true, done: { id, secret } };
  },
);

export const editWebhookAction = changeAction(
  [nameArgument, readBy(formArgument(), (data) => readWebhook(data, editWebhookBody))],
  editWebhook,
);

export const turnWebhookAction = changeAction([nameArgument, z.boolean()], (scope, id, active) =>
  editWebhook(scope, id, { state: active ? "active" : "paused" }),
);

/** Answers with the new secret. */
export const rotateWebhookAction = formAction(
  [nameArgument, formOf(rotateWebhookForm, { overlapHours: "unknown" })],
  async (scope, id, given): Promise<FormAnswer<string>> => {
    const { secret } = await rotateSecret(scope, id, given.overlapHours);
    return { ok: true, done: secret ?? "" };
  },
);

export const deleteWebhookAction = changeAction([nameArgument], deleteWebhook);

/** Answers with the id of the event. */
export const testWebhookAction = readAction(
  [nameArgument, z.enum(webhookEventTypes)],
  async (scope, id, type) => (await sendTestEvent(scope, id, type)).id,
);

/** Null: there is no such delivery. */
export const readDeliveryAction = readAction(
  [nameArgument, nameArgument],
  async (scope, id, eventId): Promise<Delivery | null> =>
    (await findDelivery(scope, id, eventId)) ?? null,
);

export const resendDeliveryAction = changeAction([nameArgument, nameArgument], resendDelivery);
