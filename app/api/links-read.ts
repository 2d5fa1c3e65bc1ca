/** Finding links over the API: one, a page, their number. */
import { z } from "@hono/zod-openapi";
import { linkShape } from "#lib/links/fields/schema";
import { countLinks, exportLinks, findLink, getLink, listLinks } from "#lib/links/reading";
import {
  countLinksQuery,
  exportLinksQuery,
  linkCounts,
  linkInfoQuery,
  listLinksQuery,
} from "#lib/links/reading/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { access } from "./access.ts";
import { sendFile } from "./download.ts";
import { createRoute, fileResponses, newRouter, responses } from "./router.ts";

const tags = ["Links"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
export const link = z.object(linkShape.shape).openapi("Link");
export const linkParams = z.object({ id: z.string() });

const list = createRoute({
  method: "get",
  path: "/links",
  operationId: "listLinks",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "List links",
  description:
    "Returns a page of links that match all given filters. Saved views are only in the dashboard: send their filters as query parameters.",
  request: { query: listLinksQuery },
  responses: responses(200, z.array(link), "A page of links."),
});

const count = createRoute({
  method: "get",
  path: "/links/count",
  operationId: "countLinks",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "Count links",
  request: { query: countLinksQuery },
  responses: responses(
    200,
    z.union([z.number(), linkCounts]),
    "The number of links, or one row per group.",
  ),
});

const info = createRoute({
  method: "get",
  path: "/links/info",
  operationId: "findLink",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "Find a link by id, externalId, or domain and key",
  request: { query: linkInfoQuery },
  responses: responses(200, link, "The link."),
});

const get = createRoute({
  method: "get",
  path: "/links/{id}",
  operationId: "getLink",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "Get a link by id or ext_<externalId>",
  request: { params: linkParams },
  responses: responses(200, link, "The link."),
});

const exportAll = createRoute({
  method: "get",
  path: "/links/export",
  operationId: "exportLinks",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "Export links",
  description:
    "Streams all links that match the filters, newest first. In CSV files, cells that a spreadsheet could run as a formula start with an apostrophe. Lines of JSON have the same format as the list.",
  request: { query: exportLinksQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
});

export const linksRead = newRouter();

linksRead.openapi(list, async (c) =>
  c.json(await listLinks(c.get("scope"), c.req.valid("query")), 200),
);
linksRead.openapi(count, async (c) =>
  c.json(await countLinks(c.get("scope"), c.req.valid("query")), 200),
);
linksRead.openapi(info, async (c) =>
  c.json(await findLink(c.get("scope"), c.req.valid("query")), 200),
);
linksRead.openapi(exportAll, async (c) =>
  sendFile(c, await exportLinks(c.get("scope"), c.req.valid("query"))),
);
linksRead.openapi(get, async (c) => {
  const found = await getLink(c.get("scope"), c.req.valid("param").id);
  return c.json(found.link, 200);
});
