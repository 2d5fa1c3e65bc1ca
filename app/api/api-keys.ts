/** API keys. Only for people in the dashboard: a key cannot create or list keys. */
import { z } from "@hono/zod-openapi";
import {
  createApiKey,
  editApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "#lib/identity/api-keys";
import {
  apiKeyShape,
  createApiKeyBody,
  editApiKeyBody,
  rotateApiKeyBody,
} from "#lib/identity/api-keys/schema";
import { AppError } from "#lib/platform/errors";
import { findKeyUse } from "#lib/tenancy/key-use";
import { keyUseQuery, keyUseShape } from "#lib/tenancy/key-use/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["API keys"];
const params = z.object({ id: z.string() });
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const key = z.object(apiKeyShape.shape).openapi("ApiKey");
const newKey = key.extend({ key: z.string() }).openapi("NewApiKey");

const list = createRoute({
  method: "get",
  path: "/api-keys",
  operationId: "listApiKeys",
  ...access("keys.read", { people: true }),
  tags,
  summary: "List API keys",
  responses: responses(200, z.array(key), "All keys that aren’t revoked, newest first."),
});

const create = createRoute({
  method: "post",
  path: "/api-keys",
  operationId: "createApiKey",
  ...access("keys.write", { people: true, fresh: true }),
  tags,
  summary: "Create an API key",
  request: jsonBody(createApiKeyBody),
  responses: responses(
    200,
    newKey,
    "The new API key. The secret is only returned in this response.",
  ),
});

const get = createRoute({
  method: "get",
  path: "/api-keys/{id}",
  operationId: "getApiKey",
  ...access("keys.read", { people: true }),
  tags,
  summary: "Get an API key",
  request: { params },
  responses: responses(200, key, "The API key without its secret."),
});

const edit = createRoute({
  method: "patch",
  path: "/api-keys/{id}",
  operationId: "editApiKey",
  ...access("keys.write", { people: true, fresh: true }),
  tags,
  summary: "Update an API key",
  request: { params, ...jsonBody(editApiKeyBody) },
  responses: responses(200, key, "The updated API key. Changes take effect within a second."),
});

const rotate = createRoute({
  method: "post",
  path: "/api-keys/{id}/rotate",
  operationId: "rotateApiKey",
  ...access("keys.write", { people: true, fresh: true }),
  tags,
  summary: "Rotate an API key",
  description:
    "Returns a new secret. The present one works for `overlapSeconds` more, and then ends by itself. The previous secret of an earlier rotation ends at once.",
  request: { params, ...jsonBody(rotateApiKeyBody) },
  responses: responses(200, newKey, "The API key with its new secret."),
});

const readUse = createRoute({
  method: "get",
  path: "/api-keys/{id}/use",
  operationId: "getApiKeyUse",
  ...access("keys.read", { people: true }),
  tags,
  summary: "Get the use of an API key",
  description:
    "Calls, created links and refused calls (403 and 429) per day, and the applications that stated their name in the `X-Fuxi-App` header. Counts are up to 10 seconds old and kept for 90 days.",
  request: { params, query: keyUseQuery },
  responses: responses(
    200,
    z.object(keyUseShape.shape).openapi("ApiKeyUse"),
    "The use of the key.",
  ),
});

const revoke = createRoute({
  method: "delete",
  path: "/api-keys/{id}",
  operationId: "revokeApiKey",
  ...access("keys.write", { people: true }),
  tags,
  summary: "Revoke an API key",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The key stops working within a second."),
});

export const apiKeys = newRouter()
  .openapi(list, async (c) => c.json(await listApiKeys(c.get("scope")), 200))
  .openapi(create, async (c) => {
    const created = await createApiKey(c.get("scope"), c.req.valid("json"));
    return c.json({ ...created.apiKey, key: created.key }, 200);
  })
  .openapi(get, async (c) => {
    const { id } = c.req.valid("param");
    return c.json((await findApiKey(c.get("scope"), id)) ?? missing(id), 200);
  })
  .openapi(edit, async (c) => {
    const { id } = c.req.valid("param");
    const edited = await editApiKey(c.get("scope"), id, c.req.valid("json"));
    return c.json(edited ?? missing(id), 200);
  })
  .openapi(rotate, async (c) => {
    const { id } = c.req.valid("param");
    const rotated = (await rotateApiKey(c.get("scope"), id, c.req.valid("json"))) ?? missing(id);
    return c.json({ ...rotated.apiKey, key: rotated.key }, 200);
  })
  .openapi(readUse, async (c) => {
    const { id } = c.req.valid("param");
    return c.json((await findKeyUse(c.get("scope"), id, c.req.valid("query"))) ?? missing(id), 200);
  })
  .openapi(revoke, async (c) => {
    const { id } = c.req.valid("param");
    const outcome = await revokeApiKey(c.get("scope"), id);
    if (!outcome.ok) missing(id);
    return c.json({ id }, 200);
  });

function missing(id: string): never {
  throw new AppError("not_found", `API key "${id}" not found in this workspace.`);
}
