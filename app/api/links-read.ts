import { z } from "@hono/zod-openapi";
import { checkAgain, getDestinationCheck } from "#lib/links/destination-checks";
import { destinationCheckShape } from "#lib/links/destination-checks/schema";
import { linkShape } from "#lib/links/fields/schema";
import { countLinks, exportLinks, findLink, getLink, listLinks } from "#lib/links/reading";
import * as fields from "#lib/links/reading/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileResponses, idParams, named, Resource } from "./router.ts";

export const link = named("Link", linkShape);
export const linkParams = idParams(
  "link",
  "The id of the link, or `ext_` and the id that it has in your system.",
);

const destinationCheck = named("DestinationCheck", destinationCheckShape);

export const linksRead = new Resource("Links");

linksRead.answer("listLinks", "get /links", {
  ...access("links.read", { limitedKeys: true }),
  summary: "List links",
  description:
    "Returns a page of links that match all given filters. Saved views are only in the dashboard: send their filters as query parameters.",
  request: { query: fields.listLinksQuery },
  returns: [200, z.array(link), "A page of links."],
  run: ({ scope, query }) => listLinks(scope, query),
});

linksRead.answer("countLinks", "get /links/count", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Count links",
  description: "Counts the links that match all given filters; with `groupBy`, one row per value.",
  request: { query: fields.countLinksQuery },
  returns: [
    200,
    z.union([z.number(), fields.linkCounts]),
    "The number of links, or one row per group.",
  ],
  run: ({ scope, query }) => countLinks(scope, query),
});

linksRead.answer("findLink", "get /links/info", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Find a link by id, externalId, or domain and key",
  description: "Send exactly one of `linkId`, `externalId`, or `domain` with `key`.",
  request: { query: fields.linkInfoQuery },
  returns: [200, link, "The link."],
  run: ({ scope, query }) => findLink(scope, query),
});

linksRead.respond("exportLinks", "get /links/export", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Export links",
  description:
    "Streams all links that match the filters, newest first. In CSV files, cells that a spreadsheet could run as a formula start with an apostrophe. Lines of JSON have the same format as the list.",
  request: { query: fields.exportLinksQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: async ({ c, scope, query }) => sendFile(c, await exportLinks(scope, query)),
});

linksRead.answer("getLink", "get /links/{id}", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get a link by id or ext_<externalId>",
  description: "Returns the settings and all-time counters of the link.",
  request: { params: linkParams },
  returns: [200, link, "The link."],
  run: async ({ scope, params }) => {
    const found = await getLink(scope, params.id);
    return found.link;
  },
});

linksRead.answer("getDestinationCheck", "get /links/{id}/destination-check", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get whether the destination of a link works",
  description:
    "Destinations of links that people visited in the last 7 days are asked for their headers about once a day. Links of a campaign with `checkDestination` have one check, and those of other campaigns none. This reads the result of the last check. To list links with a broken destination, use `status=broken`.",
  request: { params: linkParams },
  returns: [200, destinationCheck, "The result of the last check."],
  run: ({ scope, params }) => getDestinationCheck(scope, params.id),
});

linksRead.answer("checkDestination", "post /links/{id}/destination-check", {
  ...access("links.write", { limitedKeys: true }),
  summary: "Check the destination of a link again",
  description:
    "Starts a check, which usually takes less than a minute, and returns the result of the last one. Links that are turned off, expired or not started are not checked. Up to 60 an hour per workspace.",
  request: { params: linkParams },
  returns: [202, destinationCheck, "The result of the check before."],
  run: ({ scope, params }) => checkAgain(scope, params.id),
});
