/** Questions about clicks. */
import { createRoute, z } from "@hono/zod-openapi";
import { askAnalytics } from "#lib/analytics";
import { analyticsQuery, countAnswer, rowAnswer } from "#lib/analytics/schema";
import { answers, newRouter } from "./router.ts";

const tags = ["Analytics"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const count = z.object(countAnswer.shape).openapi("AnalyticsCount");
const row = z.object(rowAnswer.shape).loose().openapi("AnalyticsRow");

const ask = createRoute({
  method: "get",
  path: "/analytics",
  operationId: "askAnalytics",
  tags,
  summary: "Clicks of a period, counted and told apart by what groupBy names",
  request: { query: analyticsQuery },
  responses: answers(
    200,
    z.union([count, z.array(row)]),
    "The number, or a row for each value with the fields that name it.",
  ),
});

export const analytics = newRouter();

analytics.openapi(ask, async (c) => {
  const { answer, usedZone } = await askAnalytics(c.get("scope"), c.req.valid("query"));
  if (usedZone !== undefined) c.header("X-Fuxi-Timezone", usedZone);
  return c.json(answer, 200);
});
