"use server";

import type { FormAnswer } from "#components/forms/form";
import { createTrackingKey, deleteTrackingKey } from "#lib/analytics/tracking-keys";
import { newTrackingKey } from "#lib/analytics/tracking-keys/schema";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { byField, parseBody } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";
import { changeAction } from "../../../workspace-action.ts";

const messages = { name: "publicKeyName", hosts: "publicKeyHosts" } as const;

export const createPublicKeyAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<null>> => {
    const hosts = String(data.get("hosts") ?? "")
      .split(/[\s,]+/)
      .filter((host) => host !== "");
    const parsed = parseBody({ name: data.get("name"), hosts }, newTrackingKey, byField(messages));
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      await createTrackingKey(scope, parsed.value);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const deletePublicKeyAction = changeAction([nameArgument], deleteTrackingKey);
