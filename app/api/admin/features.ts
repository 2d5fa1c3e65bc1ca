/** /api/admin/features: parts of the product that administrators turn off and on for the instance. */
import { createRoute, z } from "@hono/zod-openapi";
import { listFeatures, switchFeature } from "#lib/tenancy/features";
import { featureNames, featureShape, switchFeatureBody } from "#lib/tenancy/features/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

export const features = newRouter();

const featuresShape = z.array(featureShape);

features.openapi(
  createRoute({
    method: "get",
    path: "/features",
    summary: "List features",
    responses: responses(200, featuresShape, "All features, and whether they are on."),
  }),
  async (c) => c.json(await listFeatures(c.get("operator")), 200),
);

features.openapi(
  createRoute({
    method: "put",
    path: "/features/{name}",
    summary: "Turn a feature off or on",
    description: "For new uses: what exists keeps working. Every process follows within a second.",
    request: {
      params: z.object({ name: z.enum(featureNames) }),
      ...jsonBody(switchFeatureBody),
    },
    responses: responses(200, featuresShape, "All features after the change."),
  }),
  async (c) => {
    const operator = c.get("operator");
    await switchFeature(operator, c.req.valid("param").name, c.req.valid("json"));
    return c.json(await listFeatures(operator), 200);
  },
);
