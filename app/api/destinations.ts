/** Lists of allowed and blocked destinations over the API. */
import { z } from "@hono/zod-openapi";
import {
  changeDestinationList,
  getDestinationLists,
  pollDestinationList,
} from "#lib/destinations/lists";
import {
  changeListBody,
  destinationListShape,
  destinationListsShape,
  listKinds,
} from "#lib/destinations/lists/schema";
import { listRefusedLinks } from "#lib/links/refused-links";
import { refusedLinkShape, refusedLinksShape, refusedQuery } from "#lib/links/refused-links/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Destinations"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const list = z.object(destinationListShape.shape).openapi("DestinationList");
const lists = z
  .object({ ...destinationListsShape.shape, allow: list, block: list })
  .openapi("DestinationLists");
const refusedLink = z.object(refusedLinkShape.shape).openapi("RefusedLink");
const refusedPage = z
  .object({ ...refusedLinksShape.shape, links: z.array(refusedLink) })
  .openapi("RefusedLinks");
const kind = z.enum(listKinds);

const get = createRoute({
  method: "get",
  path: "/destinations",
  operationId: "getDestinationLists",
  ...access("destinations.read"),
  tags,
  summary: "Get the lists of destinations",
  description:
    "Returns the allow list and the block list of the workspace with their entries and the state of their sources.",
  responses: responses(200, lists, "Both lists."),
});

const listRefused = createRoute({
  method: "get",
  path: "/destinations/refused",
  operationId: "listRefusedLinks",
  ...access("links.read"),
  tags,
  summary: "List links that would be refused now",
  description:
    "Links created before a list changed keep working. This lists those that the lists would refuse now, newest first. A call checks up to 20,000 links and returns up to 100; continue with `next` until it is null. To stop these links, update them with `disabled: true`.",
  request: { query: refusedQuery },
  responses: responses(200, refusedPage, "Refused links, and where to continue."),
});

const change = createRoute({
  method: "patch",
  path: "/destinations",
  operationId: "changeDestinationList",
  ...access("destinations.write"),
  tags,
  summary: "Change a list of destinations",
  description:
    "Adds and removes entries, and sets the source. An entry is a host (`example.com`), all subdomains of a host (`*.example.com`), or the pages below a path (`example.com/shop`). In a block list a host covers its subdomains too, in an allow list it doesn’t. Once the allow list has entries or a source, links may only redirect to its hosts. Existing links don’t change.",
  request: jsonBody(changeListBody.extend({ kind })),
  responses: responses(200, list, "The changed list."),
});

const poll = createRoute({
  method: "post",
  path: "/destinations/poll",
  operationId: "pollDestinationList",
  ...access("destinations.write"),
  tags,
  summary: "Read the source of a list now",
  description:
    "If the source can’t be reached, its last good entries stay. If it can’t be read as a list, a block list keeps them and an allow list has none until it is repaired.",
  request: jsonBody(z.strictObject({ kind })),
  responses: responses(200, list, "The list after reading its source."),
});

export const destinations = newRouter();

destinations.openapi(get, async (c) => c.json(await getDestinationLists(c.get("scope")), 200));
destinations.openapi(listRefused, async (c) =>
  c.json(await listRefusedLinks(c.get("scope"), c.req.valid("query")), 200),
);
destinations.openapi(change, async (c) => {
  const { kind, ...body } = c.req.valid("json");
  return c.json(await changeDestinationList(c.get("scope"), kind, body), 200);
});
destinations.openapi(poll, async (c) =>
  c.json(await pollDestinationList(c.get("scope"), c.req.valid("json").kind), 200),
);
