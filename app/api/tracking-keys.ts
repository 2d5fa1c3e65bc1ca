/** Public keys of sites over the API. */
import { z } from "@hono/zod-openapi";
import {
  createTrackingKey,
  deleteTrackingKey,
  listTrackingKeys,
} from "#lib/analytics/tracking-keys";
import { newTrackingKey, trackingKeyShape } from "#lib/analytics/tracking-keys/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Conversions"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const trackingKey = z.object(trackingKeyShape.shape).openapi("PublicKey");
const params = z.object({ id: z.string().openapi({ example: "pk_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const list = createRoute({
  method: "get",
  path: "/public-keys",
  operationId: "listPublicKeys",
  ...access("keys.read", { people: true }),
  tags,
  summary: "List public keys",
  description: "Newest first.",
  responses: responses(200, z.array(trackingKey), "The public keys."),
});

const create = createRoute({
  method: "post",
  path: "/public-keys",
  operationId: "createPublicKey",
  ...access("keys.write", { people: true }),
  tags,
  summary: "Create a public key",
  description:
    "For the script of a site, which reports leads and sales from its hosts. What it reports is not verified.",
  request: jsonBody(newTrackingKey),
  responses: responses(201, trackingKey, "The public key."),
});

const remove = createRoute({
  method: "delete",
  path: "/public-keys/{id}",
  operationId: "deletePublicKey",
  ...access("keys.write", { people: true }),
  tags,
  summary: "Delete a public key",
  description: "Its site can report nothing any more.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted key."),
});

export const trackingKeys = newRouter();

trackingKeys.openapi(list, async (c) => c.json(await listTrackingKeys(c.get("scope")), 200));
trackingKeys.openapi(create, async (c) =>
  c.json(await createTrackingKey(c.get("scope"), c.req.valid("json")), 201),
);
trackingKeys.openapi(remove, async (c) =>
  c.json(await deleteTrackingKey(c.get("scope"), c.req.valid("param").id), 200),
);
