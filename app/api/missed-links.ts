import { z } from "@hono/zod-openapi";
import { countMissedLinks, exportMissedLinks, listMissedLinks } from "#lib/analytics/missed-links";
import * as fields from "#lib/analytics/missed-links/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileResponses, named, Resource } from "./router.ts";

const link = named("MissedLink", fields.missedLinkShape);
const count = named("MissedLinkCount", fields.missedCountShape);

export const missedLinks = new Resource("Analytics");

missedLinks.answer("listMissedLinks", "get /missed-links", {
  ...access("analytics.read", { limitedKeys: true }),
  summary: "List slugs without a link that people visited",
  description:
    "Most visited first. Only on the workspace’s own domains. Slugs that may be personal data (with an @ or seven digits in a row) or have more than 64 characters are counted, but not listed. On a day with more than 1,000 such slugs of a domain, the counts of the others are estimates. Keys that are limited to folders get an empty list.",
  request: { query: fields.listMissedQuery },
  returns: [200, z.array(link), "A page of missed links."],
  run: ({ scope, query }) => listMissedLinks(scope, query),
});

missedLinks.answer("countMissedLinks", "get /missed-links/count", {
  ...access("analytics.read", { limitedKeys: true }),
  summary: "Count visits of slugs without a link",
  description: "Includes visits whose slugs are not stored, and those of bots and scanners.",
  request: { query: fields.missedPeriodQuery },
  returns: [200, count, "The totals of the period."],
  run: ({ scope, query }) => countMissedLinks(scope, query),
});

missedLinks.respond("exportMissedLinks", "get /missed-links/export", {
  ...access("analytics.read", { limitedKeys: true }),
  summary: "Export missed links as CSV",
  description: "The 10,000 slugs with the most visits.",
  request: { query: fields.missedPeriodQuery },
  responses: fileResponses(["text/csv"], "The file, streamed."),
  run: async ({ c, scope, query }) => sendFile(c, await exportMissedLinks(scope, query)),
});
