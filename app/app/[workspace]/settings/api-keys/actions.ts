"use server";

import type { FormAnswer } from "#components/forms/form";
import type { CreatedKey } from "#components/keys/created-key-view";
import {
  createApiKey,
  editApiKey,
  keepApiKey,
  revokeApiKey,
  rotateApiKey,
} from "#lib/identity/api-keys";
import {
  type ApiKey,
  apiKeyForm,
  type EditApiKey,
  rotateKeyForm,
} from "#lib/identity/api-keys/schema";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { type ParsedForm, parseForm } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

const dayMs = 86_400_000;
const keyFormArgument = formArgument(["scopes", "domainIds", "folderIds"]);

/** The terms in a form of the dashboard, which always has all of them. */
function termsOf(data: FormData): ParsedForm<EditApiKey & { name: string }> {
  const messages = {
    name: "keyName",
    allowedAddresses: "keyAddresses",
    callsPerMinute: "keyRate",
  } as const;
  const parsed = parseForm(data, apiKeyForm, messages);
  if (!parsed.ok) return parsed;
  const { name, access, life, allowedAddresses = [], callsPerMinute = null } = parsed.value;
  const listOf = (field: string) => data.getAll(field).map(String);
  const scopes = access === "custom" ? listOf("scopes") : [access];
  if (scopes.length === 0) return { ok: false, fields: { scopes: "keyScopes" } };
  const domainIds = listOf("domainIds");
  const folderIds = listOf("folderIds");
  const terms = { name, scopes, allowedAddresses, domainIds, folderIds, callsPerMinute };
  if (life === "keep") return { ok: true, value: terms };
  const end = life === "never" ? null : new Date(Date.now() + Number(life) * dayMs);
  return { ok: true, value: { ...terms, expiresAt: end?.toISOString() ?? null } };
}

function createdKey(key: string, { name, scopes, pendingApproval }: ApiKey): CreatedKey {
  const mayCreate = ["all", "links.write"].some((one) => scopes.includes(one));
  return { key, name, mayCreate, pending: pendingApproval };
}

export const createKeyAction = action(
  [nameArgument, keyFormArgument],
  async (slug, data): Promise<FormAnswer<CreatedKey>> => {
    const terms = termsOf(data);
    if (!terms.ok) return terms;
    return await runInWorkspace(slug, async (scope) => {
      const { key, apiKey } = await createApiKey(scope, terms.value);
      refreshPages(slug);
      return { ok: true, done: createdKey(key, apiKey) };
    });
  },
);

export const editKeyAction = action(
  [nameArgument, nameArgument, keyFormArgument],
  async (slug, id, data): Promise<FormAnswer<null>> => {
    const terms = termsOf(data);
    if (!terms.ok) return terms;
    return await runInWorkspace(slug, async (scope) => {
      const edited = await editApiKey(scope, id, terms.value);
      refreshPages(slug);
      return edited ? { ok: true, done: null } : { ok: false, form: "notFound" };
    });
  },
);

export const rotateKeyAction = action(
  [nameArgument, nameArgument, formArgument()],
  async (slug, id, data): Promise<FormAnswer<CreatedKey>> => {
    const parsed = parseForm(data, rotateKeyForm, { overlap: "unknown" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const rotated = await rotateApiKey(scope, id, { overlapSeconds: parsed.value.overlap });
      refreshPages(slug);
      if (!rotated) return { ok: false, form: "notFound" };
      return { ok: true, done: createdKey(rotated.key, rotated.apiKey) };
    });
  },
);

export const keepKeyAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const kept = await keepApiKey(scope, id);
      refreshPages(slug);
      return kept ? { ok: true, done: null } : { ok: false, form: "notFound" };
    });
  },
);

export const revokeKeyAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await revokeApiKey(scope, id);
      refreshPages(slug);
      return outcome.ok ? { ok: true, done: null } : { ok: false, form: "notFound" };
    });
  },
);
