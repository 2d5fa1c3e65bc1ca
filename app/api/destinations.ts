import { z } from "@hono/zod-openapi";
import {
  changeDestinationList,
  getDestinationLists,
  pollDestinationList,
} from "#lib/destinations/lists";
import * as fields from "#lib/destinations/lists/schema";
import { listRefusedLinks } from "#lib/links/refused-links";
import { refusedLinkShape, refusedLinksShape, refusedQuery } from "#lib/links/refused-links/schema";
import { access } from "./access.ts";
import { named, Resource } from "./router.ts";

const list = named("DestinationList", fields.destinationListShape);
const lists = z
  .object({ ...fields.destinationListsShape.shape, allow: list, block: list })
  .openapi("DestinationLists");
const refusedLink = named("RefusedLink", refusedLinkShape);
const refusedPage = z
  .object({ ...refusedLinksShape.shape, links: z.array(refusedLink) })
  .openapi("RefusedLinks");
const kind = z.enum(fields.listKinds);

export const destinations = new Resource("Destinations");

destinations.answer("getDestinationLists", "get /destinations", {
  ...access("destinations.read"),
  summary: "Get the lists of destinations",
  description:
    "Returns the allow list and the block list of the workspace with their entries and the state of their sources.",
  returns: [200, lists, "Both lists."],
  run: ({ scope }) => getDestinationLists(scope),
});

destinations.answer("listRefusedLinks", "get /destinations/refused", {
  ...access("links.read"),
  summary: "List links that the current lists would refuse",
  description:
    "Links created before a list changed keep working. This lists the ones that the current lists would refuse, newest first. A call checks up to 20,000 links and returns up to 100; continue with `next` until it is null. To stop these links, update them with `disabled: true`.",
  request: { query: refusedQuery },
  returns: [200, refusedPage, "Refused links, and where to continue."],
  run: ({ scope, query }) => listRefusedLinks(scope, query),
});

destinations.answer("changeDestinationList", "patch /destinations", {
  ...access("destinations.write"),
  summary: "Change a list of destinations",
  description:
    "Adds and removes entries, and sets the source. An entry is a host (`example.com`), all subdomains of a host (`*.example.com`), or the pages below a path (`example.com/shop`). In a block list a host covers its subdomains too, in an allow list it doesn’t. Once the allow list has entries or a source, links may only redirect to its hosts. Existing links don’t change.",
  request: { body: fields.changeListBody.extend({ kind }) },
  returns: [200, list, "The changed list."],
  run: ({ scope, body: { kind, ...body } }) => changeDestinationList(scope, kind, body),
});

destinations.answer("pollDestinationList", "post /destinations/poll", {
  ...access("destinations.write"),
  summary: "Read the source of a list now",
  description:
    "If the source can’t be reached, its last good entries stay. If it can’t be read as a list, a block list keeps them and an allow list has none until it is repaired.",
  request: { body: z.strictObject({ kind }) },
  returns: [200, list, "The list after reading its source."],
  run: ({ scope, body }) => pollDestinationList(scope, body.kind),
});
