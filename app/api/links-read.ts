/** Finding links over the API: one, a page, how many. */
import { createRoute, z } from "@hono/zod-openapi";
import { countLinks, getLink, listLinks } from "#lib/links";
import { linkShape, listLinksQuery } from "#lib/links/schema";
import { answers, newRouter } from "./router.ts";

const tags = ["Links"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
export const link = z.object(linkShape.shape).openapi("Link");
export const linkParams = z.object({ id: z.string() });

const list = createRoute({
  method: "get",
  path: "/links",
  operationId: "listLinks",
  tags,
  summary: "The links of the workspace, newest first",
  request: { query: listLinksQuery },
  responses: answers(200, z.array(link), "A page of links."),
});

const count = createRoute({
  method: "get",
  path: "/links/count",
  operationId: "countLinks",
  tags,
  summary: "How many links there are",
  request: { query: listLinksQuery },
  responses: answers(200, z.number(), "The number of links."),
});

const get = createRoute({
  method: "get",
  path: "/links/{id}",
  operationId: "getLink",
  tags,
  summary: "A link",
  request: { params: linkParams },
  responses: answers(200, link, "The link."),
});

export const linksRead = newRouter();

linksRead.openapi(list, async (c) =>
  c.json(await listLinks(c.get("scope"), c.req.valid("query")), 200),
);
linksRead.openapi(count, async (c) =>
  c.json(await countLinks(c.get("scope"), c.req.valid("query")), 200),
);
linksRead.openapi(get, async (c) => {
  const found = await getLink(c.get("scope"), c.req.valid("param").id);
  return c.json(found.link, 200);
});
