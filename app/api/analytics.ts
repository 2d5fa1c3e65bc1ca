import { z } from "@hono/zod-openapi";
import { askSeveral, exportAnalytics, exportEvents, listEvents } from "#lib/analytics/reports";
import * as fields from "#lib/analytics/reports/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { access, maskedAnswer } from "./access.ts";
import { sendFile } from "./download.ts";
import { link } from "./links-read.ts";
import { preferHeader, prefers } from "./prefer.ts";
import { fileResponses, named, Resource, responses } from "./router.ts";

const count = named("AnalyticsCount", fields.countedTotal);
const row = z.object(fields.countedGroup.shape).loose().openapi("AnalyticsRow");

const one = z.union([count, z.array(row)]);
const event = z.union([
  z.object({ ...fields.clickEvent.shape, link }).openapi("ClickEvent"),
  z.object({ ...fields.leadEvent.shape, link }).openapi("LeadEvent"),
  z.object({ ...fields.saleEvent.shape, link }).openapi("SaleEvent"),
]);

export const analytics = new Resource("Analytics");

analytics.respond("askAnalytics", "get /analytics", {
  ...access("analytics.read", { limitedKeys: true }),
  summary: "Get clicks, leads and sales for a period",
  description:
    "With `Prefer: fuxi=1`, totals of sales have a `currency`, rows of a series are marked as `partial`, and rows of tags and folders repeat the fields of their object. Clients made for Dub may refuse such fields, so they are left out otherwise.",
  request: { headers: preferHeader, query: fields.severalQuery },
  responses: responses(
    200,
    z.union([one, z.record(z.string(), one)]),
    "The totals, or one row per value. Multiple groupings return an object with one entry per grouping.",
  ),
  run: async ({ c, scope, query }) => {
    const answered = await askSeveral(scope, query);
    const all = [...answered];
    const usedZone = all.find(([, found]) => found.usedZone !== undefined)?.[1].usedZone;
    if (usedZone !== undefined) c.header("X-Fuxi-Timezone", usedZone);
    const isOwn = prefers(c, "fuxi=1");
    if (isOwn) c.header("Preference-Applied", "fuxi=1");
    const answers = all.map(([name, { answer }]) => {
      return [name, isOwn ? answer : fields.withoutOwnFields(name, answer)] as const;
    });
    const [only] = answers;
    return answers.length === 1 && only
      ? c.json(only[1], 200)
      : c.json(Object.fromEntries(answers), 200);
  },
});

analytics.respond("exportAnalytics", "get /analytics/export", {
  ...access("analytics.read", { limitedKeys: true }),
  summary: "Export one grouping or all of them as CSV or as an Excel workbook",
  description: "Returns all rows of the period, not only those with the most clicks.",
  request: { query: fields.exportQuery },
  responses: fileResponses(
    ["text/csv", "application/zip", recordTypes.xlsx],
    "The file, streamed.",
  ),
  run: async ({ c, scope, query }) => sendFile(c, await exportAnalytics(scope, query)),
});

analytics.answer("listEvents", "get /events", {
  ...access("analytics.read", { personal: maskedAnswer, limitedKeys: true }),
  summary: "List clicks, leads or sales, newest first",
  description:
    "Bots are left out. Pages have up to 1,000 events; `cursor` goes further than `page`.",
  request: { query: fields.eventsQuery },
  returns: [
    200,
    z.array(event),
    "A page of events. Pass the id of the last one as the next cursor.",
  ],
  run: ({ scope, query }) => listEvents(scope, query),
});

analytics.respond("exportEvents", "get /events/export", {
  ...access("analytics.read", { personal: maskedAnswer, limitedKeys: true }),
  summary: "Export all clicks, leads or sales of a period",
  description: "Streams the events that match the filters, newest first.",
  request: { query: fields.exportEventsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file, newest event first, streamed."),
  run: async ({ c, scope, query }) => sendFile(c, await exportEvents(scope, query)),
});
