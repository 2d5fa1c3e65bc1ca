/** The plan of a workspace, by its id or slug. */
import { z } from "@hono/zod-openapi";
import { readPlanOf, setPlan } from "#lib/tenancy/plan-changes";
import { planStateShape, setPlanBody } from "#lib/tenancy/plan-changes/schema";
import { OfficeResource } from "../router.ts";

const path = "/workspaces/{id}/plan";
const params = z.object({ id: z.string().max(255) });

export const plans = new OfficeResource();

plans.answer(`get ${path}`, {
  summary: "Get the plan of a workspace",
  request: { params },
  returns: [200, planStateShape, "The plan, the custom limits and the end date."],
  run: ({ operator, params }) => readPlanOf(operator, params.id),
});

plans.answer(`put ${path}`, {
  summary: "Set the plan of a workspace",
  request: { params, body: setPlanBody },
  returns: [200, planStateShape, "The plan as it is now."],
  run: ({ operator, params: { id }, body }) => setPlan(operator, id, body),
});
