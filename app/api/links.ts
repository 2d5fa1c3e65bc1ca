/** Creating and editing links over the API, compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { createLinks, type LinkOutcome } from "#lib/links/creating";
import { deleteLink, editLink, upsertLink } from "#lib/links/editing";
import { createLinkBody, editLinkBody, type Link, parseNewLink } from "#lib/links/fields/schema";
import { access } from "./access.ts";
import { idempotencyHeader, idempotencyOf } from "./idempotency.ts";
import { asAppError } from "./link-errors.ts";
import { link, linkParams } from "./links-read.ts";
import { lookAlikeNote, reportLookAlikes } from "./look-alikes.ts";
import { readJson, valueOrThrow } from "./read-json.ts";
import {
  type ApiContext,
  createRoute,
  jsonBody,
  newRouter,
  reportIgnored,
  responses,
} from "./router.ts";

const tags = ["Links"];

const create = createRoute({
  method: "post",
  path: "/links",
  operationId: "createLink",
  ...access("links.write", { limitedKeys: true }),
  tags,
  summary: "Create a link",
  description: lookAlikeNote,
  request: { headers: idempotencyHeader, ...jsonBody(createLinkBody.loose()) },
  responses: responses(200, link, "The created link."),
});

const upsert = createRoute({
  method: "put",
  path: "/links/upsert",
  operationId: "upsertLink",
  ...access("links.write", { limitedKeys: true }),
  tags,
  summary: "Create or update a link by url",
  description: `Updates the newest link with this \`url\` (on \`domain\`, if given), or creates one if there is none. Concurrent requests get the same link. ${lookAlikeNote}`,
  request: jsonBody(createLinkBody.loose()),
  responses: responses(200, link, "The created or updated link."),
});

/** Both methods change only the given fields. */
function editRoute<Method extends "patch" | "put">(method: Method, operationId: string) {
  return createRoute({
    method,
    path: "/links/{id}",
    operationId,
    ...access("links.write", { limitedKeys: true }),
    tags,
    summary: method === "patch" ? "Update a link" : "Update a link (alias of PATCH)",
    description: lookAlikeNote,
    request: { params: linkParams, ...jsonBody(editLinkBody.loose()) },
    responses: responses(200, link, "The updated link."),
  });
}

const remove = createRoute({
  method: "delete",
  path: "/links/{id}",
  operationId: "deleteLink",
  ...access("links.write", { limitedKeys: true }),
  tags,
  summary: "Delete a link",
  request: { params: linkParams },
  responses: responses(
    200,
    z.object({ id: z.string() }),
    "The id of the deleted link. It stops working within a second.",
  ),
});

export function linkOf(outcome: LinkOutcome | undefined): Link {
  if (!outcome) throw new Error("createLinks returned no outcome");
  if (!outcome.ok) throw asAppError(outcome);
  return outcome.link;
}

/** The link, with the warnings about the destinations in the body. */
function answer(c: ApiContext, body: unknown, made: Link) {
  reportLookAlikes(c, body, made.domain);
  return c.json(made, 200);
}

export const links = newRouter();

// Documented, but parsed by the module itself: a link with only a URL skips all other validation.
links.openAPIRegistry.registerPath(create);
links.post("/links", async (c) => {
  const body = valueOrThrow(parseNewLink(await readJson(c)));
  reportIgnored(c, createLinkBody, body);
  const repeat = await idempotencyOf(c, [body]);
  const [outcome] = await createLinks(c.get("scope"), [body], {
    source: "api",
    prefill: true,
    repeat,
  });
  return answer(c, body, linkOf(outcome));
});
links.openapi(upsert, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, createLinkBody, body);
  return answer(c, body, linkOf(await upsertLink(c.get("scope"), body)));
});
links.openapi(editRoute("patch", "editLink"), async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, editLinkBody, body);
  return answer(c, body, linkOf(await editLink(c.get("scope"), c.req.valid("param").id, body)));
});
links.openapi(editRoute("put", "replaceLink"), async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, editLinkBody, body);
  return answer(c, body, linkOf(await editLink(c.get("scope"), c.req.valid("param").id, body)));
});
links.openapi(remove, async (c) =>
  c.json(await deleteLink(c.get("scope"), c.req.valid("param").id), 200),
);
