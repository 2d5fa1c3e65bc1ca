/** Links over the API, as the official SDK of the field speaks of them. */
import { createRoute, z } from "@hono/zod-openapi";
import { AppError, type ErrorCode } from "#lib/errors";
import { countLinks, createLinks, deleteLink, editLink, getLink, listLinks } from "#lib/links";
import { createLinkBody, editLinkBody, linkShape, listLinksQuery } from "#lib/links/schema";
import { answers, jsonBody, nameIgnored, newRouter } from "./router.ts";

const tags = ["Links"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const link = z.object(linkShape.shape).openapi("Link");
const params = z.object({ id: z.string() });

/** What an expected refusal of one link is over HTTP. */
const refusalCodes: Record<string, ErrorCode> = {
  key_taken: "conflict",
  external_id_taken: "conflict",
};

function refused(outcome: { code: string; message: string }): AppError {
  return new AppError(refusalCodes[outcome.code] ?? "unprocessable_entity", outcome.message);
}

const create = createRoute({
  method: "post",
  path: "/links",
  operationId: "createLink",
  tags,
  summary: "Make a link",
  request: jsonBody(createLinkBody.loose()),
  responses: answers(200, link, "The link; it is saved when this is answered."),
});

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
  request: { params },
  responses: answers(200, link, "The link."),
});

const edit = createRoute({
  method: "patch",
  path: "/links/{id}",
  operationId: "editLink",
  tags,
  summary: "Change a link",
  request: { params, ...jsonBody(editLinkBody.loose()) },
  responses: answers(200, link, "The link as it is now."),
});

const remove = createRoute({
  method: "delete",
  path: "/links/{id}",
  operationId: "deleteLink",
  tags,
  summary: "Delete a link",
  request: { params },
  responses: answers(200, z.object({ id: z.string() }), "The link is gone within a second."),
});

export const links = newRouter();

links.openapi(create, async (c) => {
  const body = c.req.valid("json");
  nameIgnored(c, createLinkBody, body);
  const [outcome] = await createLinks(c.get("scope"), [body]);
  if (!outcome) throw new Error("createLinks answered no outcome");
  if (!outcome.ok) throw refused(outcome);
  return c.json(outcome.link, 200);
});
links.openapi(list, async (c) =>
  c.json(await listLinks(c.get("scope"), c.req.valid("query")), 200),
);
links.openapi(count, async (c) =>
  c.json(await countLinks(c.get("scope"), c.req.valid("query")), 200),
);
links.openapi(get, async (c) => {
  const found = await getLink(c.get("scope"), c.req.valid("param").id);
  return c.json(found.link, 200);
});
links.openapi(edit, async (c) => {
  const body = c.req.valid("json");
  nameIgnored(c, editLinkBody, body);
  const outcome = await editLink(c.get("scope"), c.req.valid("param").id, body);
  if (!outcome.ok) throw refused(outcome);
  return c.json(outcome.link, 200);
});
links.openapi(remove, async (c) =>
  c.json(await deleteLink(c.get("scope"), c.req.valid("param").id), 200),
);
