/** Expands short links. */
import { expandLink } from "#lib/links/resolve-link";
import { expandQuery, expansionShape } from "#lib/links/resolve-link/schema";
import { access } from "./access.ts";
import { named, Resource } from "./router.ts";

export const expand = new Resource("Links");

expand.answer("expandLink", "get /expand", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get the destination of a short link",
  request: { query: expandQuery },
  returns: [
    200,
    named("Expansion", expansionShape),
    "The destination. No click is counted; the request is added to the audit log.",
  ],
  run: ({ scope, query }) => expandLink(scope, query),
});
