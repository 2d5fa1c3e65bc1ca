/** API keys. Only for people in the dashboard: a key cannot create or list keys. */
import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/identity/api-keys";
import * as fields from "#lib/identity/api-keys/schema";
import { AppError } from "#lib/platform/errors";
import { findKeyUse } from "#lib/tenancy/key-use";
import { keyUseQuery, keyUseShape } from "#lib/tenancy/key-use/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const params = idParams("key", "The id of the API key.");
const key = named("ApiKey", fields.apiKeyShape);
const newKey = key.extend({ key: z.string() }).openapi("NewApiKey");

export const apiKeys = new Resource("API keys");

apiKeys.answer("listApiKeys", "get /api-keys", {
  ...access("keys.read", { people: true }),
  summary: "List API keys",
  description: "Newest first, without secrets and without revoked keys.",
  returns: [200, z.array(key), "All keys that aren’t revoked, newest first."],
  run: ({ scope }) => verbs.listApiKeys(scope),
});

apiKeys.answer("createApiKey", "post /api-keys", {
  ...access("keys.write", { people: true, fresh: true }),
  summary: "Create an API key",
  description:
    "Without `scopes`, the key has every permission that keys can have. The secret is stored as a hash, so it can’t be shown again.",
  request: { body: fields.createApiKeyBody },
  returns: [200, newKey, "The new API key. The secret is only returned in this response."],
  run: async ({ scope, body }) => {
    const created = await verbs.createApiKey(scope, body);
    return { ...created.apiKey, key: created.key };
  },
});

apiKeys.answer("getApiKey", "get /api-keys/{id}", {
  ...access("keys.read", { people: true }),
  summary: "Get an API key",
  description: "Returns the permissions and limits of the key, never its secret.",
  request: { params },
  returns: [200, key, "The API key without its secret."],
  run: async ({ scope, params: { id } }) => (await verbs.findApiKey(scope, id)) ?? missing(id),
});

apiKeys.answer("editApiKey", "patch /api-keys/{id}", {
  ...access("keys.write", { people: true, fresh: true }),
  summary: "Update an API key",
  description: "Omitted fields don’t change. The secret stays the same.",
  request: { params, body: fields.editApiKeyBody },
  returns: [200, key, "The updated API key. Changes take effect within a second."],
  run: async ({ scope, params: { id }, body }) =>
    (await verbs.editApiKey(scope, id, body)) ?? missing(id),
});

apiKeys.answer("rotateApiKey", "post /api-keys/{id}/rotate", {
  ...access("keys.write", { people: true, fresh: true }),
  summary: "Rotate an API key",
  description:
    "Returns a new secret. The current one keeps working for `overlapSeconds`, then expires. The previous secret of an earlier rotation expires immediately.",
  request: { params, body: fields.rotateApiKeyBody },
  returns: [200, newKey, "The API key with its new secret."],
  run: async ({ scope, params: { id }, body }) => {
    const rotated = (await verbs.rotateApiKey(scope, id, body)) ?? missing(id);
    return { ...rotated.apiKey, key: rotated.key };
  },
});

apiKeys.answer("getApiKeyUse", "get /api-keys/{id}/use", {
  ...access("keys.read", { people: true }),
  summary: "Get the usage of an API key",
  description:
    "Calls, created links and refused calls (403 and 429) per day, and the apps that sent their name in the `X-Fuxi-App` header. Counts are up to 10 seconds old and kept for 90 days.",
  request: { params, query: keyUseQuery },
  returns: [200, named("ApiKeyUse", keyUseShape), "The usage of the key."],
  run: async ({ scope, params: { id }, query }) =>
    (await findKeyUse(scope, id, query)) ?? missing(id),
});

apiKeys.answer("revokeApiKey", "delete /api-keys/{id}", {
  ...access("keys.write", { people: true }),
  summary: "Revoke an API key",
  description: "The key can’t be restored. What it created stays.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The key stops working within a second."],
  run: async ({ scope, params: { id } }) => {
    if (!(await verbs.revokeApiKey(scope, id))) missing(id);
    return { id };
  },
});

function missing(id: string): never {
  throw new AppError("not_found", `API key "${id}" not found in this workspace.`);
}
