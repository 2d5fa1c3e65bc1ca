/** Checks before a link exists: whether its slug is free, where visitors would go, suggested texts. */
import { z } from "@hono/zod-openapi";
import { suggest } from "#lib/destinations/pages";
import { suggestionBody, suggestionShape } from "#lib/destinations/pages/schema";
import { checkKey } from "#lib/links/creating";
import { availabilityQuery, availabilityShape } from "#lib/links/creating/schema";
import { tryVisit } from "#lib/redirect/routing-rules";
import { tryBody, tryResultShape } from "#lib/redirect/routing-rules/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Links"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const availability = z.object(availabilityShape.shape).openapi("KeyAvailability");
const tried = z.object(tryResultShape.shape).openapi("TriedVisit");

const check = createRoute({
  method: "get",
  path: "/links/availability",
  operationId: "checkKey",
  ...access("links.write", { limitedKeys: true }),
  tags,
  summary: "Check whether a key is available",
  description: "The key isn’t reserved: another request can take it before you create the link.",
  request: { query: availabilityQuery },
  responses: responses(200, availability, "Whether the key is available, and the reason if not."),
});

const attempt = createRoute({
  method: "post",
  path: "/links/try",
  operationId: "tryLink",
  ...access("any", { limitedKeys: true }),
  tags,
  summary: "Test the rules of a link",
  description:
    "Returns the destination for a given visitor, using the same logic as real visits. Neither the link nor the visitor has to exist. Nothing is stored or counted.",
  request: jsonBody(tryBody),
  responses: responses(200, tried, "The destination, and the rules that match or don’t."),
});

const suggestion = z.object(suggestionShape.shape).openapi("LinkSuggestion");

const propose = createRoute({
  method: "post",
  path: "/links/suggestion",
  operationId: "suggestWords",
  ...access("links.write", { limitedKeys: true }),
  tags,
  summary: "Get the title, description and image of a page",
  description:
    "Fetches a public page and reads its metadata, up to 512 KB within 6 seconds. Limited to 60 requests per minute and workspace. Nothing is stored.",
  request: jsonBody(suggestionBody),
  responses: responses(200, suggestion, "The metadata of the page; null for missing values."),
});

export const linksTry = newRouter();

linksTry.openapi(check, async (c) =>
  c.json(await checkKey(c.get("scope"), c.req.valid("query")), 200),
);
linksTry.openapi(attempt, (c) => c.json(tryVisit(c.req.valid("json")), 200));
linksTry.openapi(propose, async (c) =>
  c.json(await suggest(c.get("scope"), c.req.valid("json").url, c.req.raw.signal), 200),
);
