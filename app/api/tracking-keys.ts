import { z } from "@hono/zod-openapi";
import {
  createTrackingKey,
  deleteTrackingKey,
  listTrackingKeys,
} from "#lib/analytics/tracking-keys";
import { newTrackingKey, trackingKeyShape } from "#lib/analytics/tracking-keys/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const trackingKey = named("PublicKey", trackingKeyShape);
const params = idParams("pk", "The id of the public key.");

export const trackingKeys = new Resource("Conversions");

trackingKeys.answer("listPublicKeys", "get /public-keys", {
  ...access("keys.read", { people: true }),
  summary: "List public keys",
  description: "Newest first.",
  returns: [200, z.array(trackingKey), "The public keys."],
  run: ({ scope }) => listTrackingKeys(scope),
});

trackingKeys.answer("createPublicKey", "post /public-keys", {
  ...access("keys.write", { people: true }),
  summary: "Create a public key",
  description:
    "For the script of a site, which reports clicks, leads and sales from its hosts. What it reports is not verified.",
  request: { body: newTrackingKey },
  returns: [201, trackingKey, "The public key."],
  run: ({ scope, body }) => createTrackingKey(scope, body),
});

trackingKeys.answer("deletePublicKey", "delete /public-keys/{id}", {
  ...access("keys.write", { people: true }),
  summary: "Delete a public key",
  description: "Sites that use it can no longer report leads and sales.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted key."],
  run: ({ scope, params }) => deleteTrackingKey(scope, params.id),
});
