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
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { parseForm } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";
import { readWebhook } from "./read-webhook.ts";

export const createWebhookAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<CreatedWebhook>> => {
    const given = readWebhook(data, createWebhookBody);
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      const { id, secret } = await createWebhook(scope, given.value);
      refreshPages(slug);
      return { ok: true, done: { id, secret } };
    });
  },
);

export const editWebhookAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, id, data): Promise<FormAnswer<null>> => {
    const given = readWebhook(data, editWebhookBody);
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      await editWebhook(scope, id, given.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const turnWebhookAction = action(
  [nameArgument, nameArgument, z.boolean()],
  async (slug, id, active): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await editWebhook(scope, id, { state: active ? "active" : "paused" });
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

/** Answers with the new secret. */
export const rotateWebhookAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, id, data): Promise<FormAnswer<string>> => {
    const given = parseForm(data, rotateWebhookForm, { overlapHours: "unknown" });
    if (!given.ok) return given;
    return await runInWorkspace(slug, async (scope) => {
      const { secret } = await rotateSecret(scope, id, given.value.overlapHours);
      refreshPages(slug);
      return { ok: true, done: secret ?? "" };
    });
  },
);

export const deleteWebhookAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteWebhook(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

/** Answers with the id of the event. */
export const testWebhookAction = action(
  [nameArgument, nameArgument, z.enum(webhookEventTypes)],
  async (slug, id, type): Promise<FormAnswer<string>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: (await sendTestEvent(scope, id, type)).id };
    });
  },
);

/** Null: there is no such delivery. */
export const readDeliveryAction = action(
  [nameArgument, nameArgument, nameArgument],
  async (slug, id, eventId): Promise<FormAnswer<Delivery | null>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: (await findDelivery(scope, id, eventId)) ?? null };
    });
  },
);

export const resendDeliveryAction = action(
  [nameArgument, nameArgument, nameArgument],
  async (slug, id, eventId): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await resendDelivery(scope, id, eventId);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
