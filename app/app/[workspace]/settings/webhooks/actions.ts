"use server";

import { type ZodType, z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import type { CreatedWebhook } from "#components/webhooks/webhook-manager";
import * as verbs from "#lib/outreach/webhooks";
import {
  createWebhookBody,
  type Delivery,
  editWebhookBody,
  rotateWebhookForm,
} from "#lib/outreach/webhooks/schema";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { formArgument, formOf, nameArgument, readBy } from "../../../../action.ts";
import { byField, type ParsedForm, parseJsonField } from "../../../../form-data.ts";
import { changeAction, formAction, readAction } from "../../../workspace-action.ts";

export const createWebhookAction = formAction(
  [readBy(formArgument(), (data) => readWebhook(data, createWebhookBody))],
  async (scope, given): Promise<FormAnswer<CreatedWebhook>> => {
    const { id, secret } = await verbs.createWebhook(scope, given);
    return { ok: true, done: { id, secret } };
  },
);

export const editWebhookAction = changeAction(
  [nameArgument, readBy(formArgument(), (data) => readWebhook(data, editWebhookBody))],
  verbs.editWebhook,
);

export const turnWebhookAction = changeAction([nameArgument, z.boolean()], (scope, id, active) =>
  verbs.editWebhook(scope, id, { state: active ? "active" : "paused" }),
);

export const rotateWebhookAction = formAction(
  [nameArgument, formOf(rotateWebhookForm, { overlapHours: "unknown" })],
  async (scope, id, given): Promise<FormAnswer<string>> => {
    const { secret } = await verbs.rotateSecret(scope, id, given.overlapHours);
    return { ok: true, done: secret ?? "" };
  },
);

export const deleteWebhookAction = changeAction([nameArgument], verbs.deleteWebhook);

export const testWebhookAction = readAction(
  [nameArgument, z.enum(webhookEventTypes)],
  async (scope, id, type) => (await verbs.sendTestEvent(scope, id, type)).id,
);

/** Null if there is no such delivery. */
export const readDeliveryAction = readAction(
  [nameArgument, nameArgument],
  async (scope, id, eventId): Promise<Delivery | null> =>
    (await verbs.findDelivery(scope, id, eventId)) ?? null,
);

export const resendDeliveryAction = changeAction(
  [nameArgument, nameArgument],
  verbs.resendDelivery,
);

/** The message for each field of the form that the API refuses. */
const messages = {
  name: "webhookName",
  url: "urlInvalid",
  events: "webhookEvents",
  signingSecret: "tooLong",
  domains: "webhookFilter",
  folderIds: "webhookFilter",
  tagIds: "webhookFilter",
} as const;

function readWebhook<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  return parseJsonField(data.get("webhook"), schema, byField(messages));
}
