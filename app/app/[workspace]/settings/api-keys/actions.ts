"use server";

import { createApiKey, keepApiKey, revokeApiKey } from "#lib/identity/api-keys";
import { apiKeyForm } from "#lib/identity/api-keys/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import type { CreatedKey } from "../../../../../components/keys/key-form.tsx";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { parseForm } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

const dayMs = 86_400_000;

export const createKeyAction = action(
  [nameArgument, formArgument(["scopes"])],
  async (slug, data): Promise<FormAnswer<CreatedKey>> => {
    const messages = { name: "keyName", allowedAddresses: "keyAddresses" } as const;
    const parsed = parseForm(data, apiKeyForm, messages);
    if (!parsed.ok) return parsed;
    const { name, access, life, allowedAddresses = [] } = parsed.value;
    const scopes = access === "custom" ? data.getAll("scopes").map(String) : [access];
    if (scopes.length === 0) return { ok: false, fields: { scopes: "keyScopes" } };
    const expiresAt =
      life === "never" ? null : new Date(Date.now() + Number(life) * dayMs).toISOString();
    return await runInWorkspace(slug, async (scope) => {
      const terms = { name, scopes, expiresAt, allowedAddresses };
      const { key, apiKey } = await createApiKey(scope, terms);
      refreshPages(slug);
      const mayCreate = ["all", "links.write"].some((one) => apiKey.scopes.includes(one));
      return { ok: true, done: { key, name: apiKey.name, mayCreate } };
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
