/** Analytics, single clicks, and exports of both. */
import { z } from "@hono/zod-openapi";
import { askSeveral, exportAnalytics, exportEvents, listEvents } from "#lib/analytics/reports";
import {
  clickEvent,
  countedGroup,
  countedTotal,
  eventsQuery,
  exportEventsQuery,
  exportQuery,
  leadEvent,
  saleEvent,
  severalQuery,
} from "#lib/analytics/reports/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { access, maskedAnswer } from "./access.ts";
import { sendFile } from "./download.ts";
import { link } from "./links-read.ts";
import { createRoute, fileResponses, newRouter, responses } from "./router.ts";

const tags = ["Analytics"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const count = z.object(countedTotal.shape).openapi("AnalyticsCount");
const row = z.object(countedGroup.shape).loose().openapi("AnalyticsRow");

const one = z.union([count, z.array(row)]);
const event = z.union([
  z.object({ ...clickEvent.shape, link }).openapi("ClickEvent"),
  z.object({ ...leadEvent.shape, link }).openapi("LeadEvent"),
  z.object({ ...saleEvent.shape, link }).openapi("SaleEvent"),
]);

const query = createRoute({
  method: "get",
  path: "/analytics",
  operationId: "askAnalytics",
  ...access("analytics.read", { limitedKeys: true }),
  tags,
  summary: "Get clicks, leads and sales for a period",
  request: { query: severalQuery },
  responses: responses(
    200,
    z.union([one, z.record(z.string(), one)]),
    "The totals, or one row per value. Multiple groupings return an object with one entry per grouping.",
  ),
});

const exportOne = createRoute({
  method: "get",
  path: "/analytics/export",
  operationId: "exportAnalytics",
  ...access("analytics.read", { limitedKeys: true }),
  tags,
  summary: "Export one grouping or all of them as CSV or as an Excel workbook",
  request: { query: exportQuery },
  responses: fileResponses(
    ["text/csv", "application/zip", recordTypes.xlsx],
    "The file, streamed.",
  ),
});

const list = createRoute({
  method: "get",
  path: "/events",
  operationId: "listEvents",
  ...access("analytics.read", { personal: maskedAnswer, limitedKeys: true }),
  tags,
  summary: "List clicks, leads or sales, newest first",
  request: { query: eventsQuery },
  responses: responses(
    200,
    z.array(event),
    "A page of events. Pass the id of the last one as the next cursor.",
  ),
});

const exportList = createRoute({
  method: "get",
  path: "/events/export",
  operationId: "exportEvents",
  ...access("analytics.read", { personal: maskedAnswer, limitedKeys: true }),
  tags,
  summary: "Export all clicks, leads or sales of a period",
  request: { query: exportEventsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file, newest event first, streamed."),
});

export const analytics = newRouter();

analytics.openapi(query, async (c) => {
  const answered = await askSeveral(c.get("scope"), c.req.valid("query"));
  const all = [...answered];
  const usedZone = all.find(([, found]) => found.usedZone !== undefined)?.[1].usedZone;
  if (usedZone !== undefined) c.header("X-Fuxi-Timezone", usedZone);
  const [only] = all;
  return all.length === 1 && only
    ? c.json(only[1].answer, 200)
    : c.json(Object.fromEntries(all.map(([name, { answer }]) => [name, answer])), 200);
});

analytics.openapi(exportOne, async (c) =>
  sendFile(c, await exportAnalytics(c.get("scope"), c.req.valid("query"))),
);

analytics.openapi(list, async (c) =>
  c.json(await listEvents(c.get("scope"), c.req.valid("query")), 200),
);

analytics.openapi(exportList, async (c) =>
  sendFile(c, await exportEvents(c.get("scope"), c.req.valid("query"))),
);
