/** /api/admin/features: parts of the product that administrators turn off and on for the instance. */
import { z } from "@hono/zod-openapi";
import { listFeatures, switchFeature } from "#lib/tenancy/features";
import { featureNames, featureShape, switchFeatureBody } from "#lib/tenancy/features/schema";
import { OfficeResource } from "../router.ts";

export const features = new OfficeResource();

const featuresShape = z.array(featureShape);

features.answer("get /features", {
  summary: "List features",
  returns: [200, featuresShape, "All features, and whether they are on."],
  run: ({ operator }) => listFeatures(operator),
});

features.answer("put /features/{name}", {
  summary: "Turn a feature off or on",
  description:
    "Only affects new uses: existing links and settings keep working. Takes effect within a second.",
  request: {
    params: z.object({ name: z.enum(featureNames) }),
    body: switchFeatureBody,
  },
  returns: [200, featuresShape, "All features after the change."],
  run: async ({ operator, params, body }) => {
    await switchFeature(operator, params.name, body);
    return await listFeatures(operator);
  },
});
