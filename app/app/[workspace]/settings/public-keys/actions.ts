"use server";

import { createTrackingKey, deleteTrackingKey } from "#lib/analytics/tracking-keys";
import { newTrackingKey } from "#lib/analytics/tracking-keys/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

export const createPublicKeyAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<null>> => {
    const hosts = String(data.get("hosts") ?? "")
      .split(/[\s,]+/)
      .filter((host) => host !== "");
    const parsed = newTrackingKey.safeParse({ name: data.get("name"), hosts });
    if (!parsed.success) {
      const names = parsed.error.issues.map(({ path }) => path[0]);
      return {
        ok: false,
        fields: {
          ...(names.includes("name") ? { name: "publicKeyName" } : {}),
          ...(names.includes("hosts") ? { hosts: "publicKeyHosts" } : {}),
        },
      };
    }
    return await runInWorkspace(slug, async (scope) => {
      await createTrackingKey(scope, parsed.data);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const deletePublicKeyAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteTrackingKey(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
