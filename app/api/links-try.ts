import { suggest } from "#lib/destinations/pages";
import { suggestionBody, suggestionShape } from "#lib/destinations/pages/schema";
import { checkKey } from "#lib/links/creating";
import { availabilityQuery, availabilityShape } from "#lib/links/creating/schema";
import { expandLink } from "#lib/links/resolve-link";
import { expandQuery, expansionShape } from "#lib/links/resolve-link/schema";
import { tryVisit } from "#lib/redirect/routing-rules";
import { tryBody, tryResultShape } from "#lib/redirect/routing-rules/schema";
import { access } from "./access.ts";
import { named, Resource } from "./router.ts";

const availability = named("KeyAvailability", availabilityShape);
const tried = named("TriedVisit", tryResultShape);

const suggestion = named("LinkSuggestion", suggestionShape);

export const linksTry = new Resource("Links");

linksTry.answer("checkKey", "get /links/availability", {
  ...access("links.write", { limitedKeys: true }),
  summary: "Check whether a key is available",
  description: "The key isn’t reserved: another request can take it before you create the link.",
  request: { query: availabilityQuery },
  returns: [200, availability, "Whether the key is available, and the reason if not."],
  run: ({ scope, query }) => checkKey(scope, query),
});

linksTry.answer("tryLink", "post /links/try", {
  ...access("any", { limitedKeys: true }),
  summary: "Test the rules of a link",
  description:
    "Returns the destination for a given visitor, using the same logic as real visits. Neither the link nor the visitor has to exist. Nothing is stored or counted.",
  request: { body: tryBody },
  returns: [200, tried, "The destination, and the rules that match or don’t."],
  run: ({ body }) => tryVisit(body),
});

linksTry.answer("suggestWords", "post /links/suggestion", {
  ...access("links.write", { limitedKeys: true }),
  summary: "Get the title, description and image of a page",
  description:
    "Fetches a public page and reads its metadata, up to 512 KB within 6 seconds. Limited to 60 requests per minute and workspace. Nothing is stored.",
  request: { body: suggestionBody },
  returns: [200, suggestion, "The metadata of the page; null for missing values."],
  run: ({ c, scope, body }) => suggest(scope, body.url, c.req.raw.signal),
});

export const expand = new Resource("Links");

expand.answer("expandLink", "get /expand", {
  ...access("links.read", { limitedKeys: true }),
  summary: "Get the destination of a short link",
  description: "Send `domain` and `key`, or the short link as `url`. The visit isn’t counted.",
  request: { query: expandQuery },
  returns: [
    200,
    named("Expansion", expansionShape),
    "The destination. No click is counted; the request is added to the audit log.",
  ],
  run: ({ scope, query }) => expandLink(scope, query),
});
