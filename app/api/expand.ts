/** Expands short links. */
import { z } from "@hono/zod-openapi";
import { expandLink } from "#lib/links/resolve-link";
import { expandQuery, expansionShape } from "#lib/links/resolve-link/schema";
import { access } from "./access.ts";
import { createRoute, newRouter, responses } from "./router.ts";

// Created again: only schemas created after loading the OpenAPI extension have its methods.
const expansion = z.object(expansionShape.shape).openapi("Expansion");

const get = createRoute({
  method: "get",
  path: "/expand",
  operationId: "expandLink",
  ...access("links.read", { limitedKeys: true }),
  tags: ["Links"],
  summary: "Get the destination of a short link",
  request: { query: expandQuery },
  responses: responses(
    200,
    expansion,
    "The destination. No click is counted; the request is added to the audit log.",
  ),
});

export const expand = newRouter().openapi(get, async (c) =>
  c.json(await expandLink(c.get("scope"), c.req.valid("query")), 200),
);
