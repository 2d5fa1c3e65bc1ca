/** /api/admin/usage: the use of the instance over time. */
import { createRoute } from "@hono/zod-openapi";
import { readUsage } from "#lib/office/usage";
import { usageQuery, usageShape } from "#lib/office/usage/schema";
import { newRouter, responses } from "../router.ts";

export const usage = newRouter();

usage.openapi(
  createRoute({
    method: "get",
    path: "/usage",
    summary: "Get usage per day, slugs and storage",
    request: { query: usageQuery },
    responses: responses(200, usageShape, "Usage of the last 30, 90 or 365 days."),
  }),
  async (c) => c.json(await readUsage(c.get("operator"), c.req.valid("query").days), 200),
);
