"use server";

import type { FormAnswer } from "#components/forms/form";
import type { CreatedKey } from "#components/keys/created-key-view";
import { dayMs } from "#lib/basics/time/schema";
import * as verbs from "#lib/identity/api-keys";
import {
  type ApiKey,
  apiKeyForm,
  type EditApiKey,
  rotateKeyForm,
} from "#lib/identity/api-keys/schema";
import { formArgument, formOf, nameArgument, readBy } from "../../../../action.ts";
import { type ParsedForm, parseForm } from "../../../../form-data.ts";
import { formAction } from "../../../workspace-action.ts";

const keyFormArgument = formArgument(["scopes", "domainIds", "folderIds"]);

/** The settings of a key. The dashboard’s form always sends all of them. */
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

export const createKeyAction = formAction(
  [readBy(keyFormArgument, termsOf)],
  async (scope, terms): Promise<FormAnswer<CreatedKey>> => {
    const { key, apiKey } = await verbs.createApiKey(scope, terms);
    return { ok: true, done: createdKey(key, apiKey) };
  },
);

export const editKeyAction = formAction(
  [nameArgument, readBy(keyFormArgument, termsOf)],
  async (scope, id, terms): Promise<FormAnswer<null>> => {
    const edited = await verbs.editApiKey(scope, id, terms);
    return edited ? { ok: true, done: null } : { ok: false, form: "notFound" };
  },
);

export const rotateKeyAction = formAction(
  [nameArgument, formOf(rotateKeyForm, { overlap: "unknown" })],
  async (scope, id, fields): Promise<FormAnswer<CreatedKey>> => {
    const rotated = await verbs.rotateApiKey(scope, id, { overlapSeconds: fields.overlap });
    if (!rotated) return { ok: false, form: "notFound" };
    return { ok: true, done: createdKey(rotated.key, rotated.apiKey) };
  },
);

export const keepKeyAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<null>> => {
    const kept = await verbs.keepApiKey(scope, id);
    return kept ? { ok: true, done: null } : { ok: false, form: "notFound" };
  },
);

export const resumeKeyAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<null>> => {
    const resumed = await verbs.resumeApiKey(scope, id);
    return resumed ? { ok: true, done: null } : { ok: false, form: "notFound" };
  },
);

export const revokeKeyAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<null>> => {
    const revoked = await verbs.revokeApiKey(scope, id);
    return revoked ? { ok: true, done: null } : { ok: false, form: "notFound" };
  },
);
