"use server";

import { createApiKey, keepApiKey, revokeApiKey } from "#lib/identity/api-keys";
import { createApiKeyBody } from "#lib/identity/api-keys/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import type { CreatedKey } from "../../../../../components/keys/key-dialog.tsx";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { parseForm } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

export const createKeyAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<CreatedKey>> => {
    const form = createApiKeyBody.pick({ name: true });
    const parsed = parseForm(data, form, { name: "keyName" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const { key, apiKey } = await createApiKey(scope, parsed.value);
      refreshPages(slug);
      return { ok: true, done: { key, name: apiKey.name } };
    });
  },
);

export const keepKeyAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const kept = await keepApiKey(scope, id);
      refreshPages(slug);
      return kept ? { ok: true, done: null } : { ok: false, form: "gone" };
    });
  },
);

export const revokeKeyAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await revokeApiKey(scope, id);
      refreshPages(slug);
      return outcome.ok ? { ok: true, done: null } : { ok: false, form: "gone" };
    });
  },
);
