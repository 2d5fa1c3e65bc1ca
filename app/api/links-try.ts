/** What can be asked before there is a link: whether its key is free, where visitors would go, how it may be called. */
import { createRoute, z } from "@hono/zod-openapi";
import { checkKey } from "#lib/links/creating";
import { availabilityQuery, availabilityShape } from "#lib/links/creating/schema";
import { suggest } from "#lib/links/page-metadata";
import { suggestionBody, suggestionShape } from "#lib/links/page-metadata/schema";
import { tryVisit } from "#lib/redirect/routing-rules";
import { triedShape, tryBody } from "#lib/redirect/routing-rules/schema";
import { answers, jsonBody, newRouter } from "./router.ts";

const tags = ["Links"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const availability = z.object(availabilityShape.shape).openapi("KeyAvailability");
const tried = z.object(triedShape.shape).openapi("TriedVisit");

const check = createRoute({
  method: "get",
  path: "/links/availability",
  operationId: "checkKey",
  tags,
  summary: "Whether a key is free",
  description:
    "Says so for this moment. Only the answer of a create or an edit tells who has got the key.",
  request: { query: availabilityQuery },
  responses: answers(200, availability, "Whether it is, and why not."),
});

const attempt = createRoute({
  method: "post",
  path: "/links/try",
  operationId: "tryLink",
  tags,
  summary: "Where a visitor would go",
  description:
    "Asks the rules of a link, which need not exist, about a visitor who need not either. The answer comes from the code that sends real visitors on. Nothing is kept or counted.",
  request: jsonBody(tryBody),
  responses: answers(200, tried, "The destination, what decided, and what did not."),
});

const suggestion = z.object(suggestionShape.shape).openapi("LinkSuggestion");

const propose = createRoute({
  method: "post",
  path: "/links/suggestion",
  operationId: "suggestWords",
  tags,
  summary: "Title, description and picture of a destination",
  description:
    "Fetches the page, if it is a public one, and reads the head of it: at most 512 KB within 6 seconds. A workspace may ask 60 times a minute. Nothing is kept.",
  request: jsonBody(suggestionBody),
  responses: answers(200, suggestion, "What the page says of itself; null where it says nothing."),
});

export const linksTry = newRouter();

linksTry.openapi(check, async (c) =>
  c.json(await checkKey(c.get("scope"), c.req.valid("query")), 200),
);
linksTry.openapi(attempt, (c) => c.json(tryVisit(c.req.valid("json")), 200));
linksTry.openapi(propose, async (c) =>
  c.json(await suggest(c.get("scope"), c.req.valid("json").url), 200),
);
