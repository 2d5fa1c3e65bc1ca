/** /api/admin/usage: the use of the instance over time. */
import { readUsage } from "#lib/office/usage";
import { usageQuery, usageShape } from "#lib/office/usage/schema";
import { OfficeResource } from "../router.ts";

export const usage = new OfficeResource();

usage.answer("get /usage", {
  summary: "Get usage per day, slugs and storage",
  request: { query: usageQuery },
  returns: [200, usageShape, "Usage of the last 30, 90 or 365 days."],
  run: ({ operator, query }) => readUsage(operator, query.days),
});
