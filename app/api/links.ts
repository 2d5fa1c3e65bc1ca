/** Making and changing links over the API, as the official SDK of the field speaks of them. */
import { createRoute, z } from "@hono/zod-openapi";
import { AppError, type ErrorCode } from "#lib/errors";
import { createLinks, deleteLink, editLink } from "#lib/links";
import { createLinkBody, editLinkBody } from "#lib/links/schema";
import { link, linkParams } from "./links-read.ts";
import { answers, jsonBody, nameIgnored, newRouter } from "./router.ts";

const tags = ["Links"];

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

const edit = createRoute({
  method: "patch",
  path: "/links/{id}",
  operationId: "editLink",
  tags,
  summary: "Change a link",
  request: { params: linkParams, ...jsonBody(editLinkBody.loose()) },
  responses: answers(200, link, "The link as it is now."),
});

const remove = createRoute({
  method: "delete",
  path: "/links/{id}",
  operationId: "deleteLink",
  tags,
  summary: "Delete a link",
  request: { params: linkParams },
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
