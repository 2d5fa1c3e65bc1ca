/** The plan of a workspace, by its id or slug. */
import { createRoute, z } from "@hono/zod-openapi";
import { readPlanOf, setPlan } from "#lib/tenancy/plan-changes";
import { planStateShape, setPlanBody } from "#lib/tenancy/plan-changes/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

const path = "/workspaces/{id}/plan";
const params = z.object({ id: z.string().max(255) });

export const plans = newRouter();

plans.openapi(
  createRoute({
    method: "get",
    path,
    summary: "Get the plan of a workspace",
    request: { params },
    responses: responses(200, planStateShape, "The plan, its own limits and its end."),
  }),
  async (c) => c.json(await readPlanOf(c.get("operator"), c.req.valid("param").id), 200),
);

plans.openapi(
  createRoute({
    method: "put",
    path,
    summary: "Set the plan of a workspace",
    request: { params, ...jsonBody(setPlanBody) },
    responses: responses(200, planStateShape, "The plan as it is now."),
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await setPlan(c.get("operator"), id, c.req.valid("json")), 200);
  },
);
