/** Creating and editing links over the API, compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { createLinks, type LinkOutcome } from "#lib/links/creating";
import { deleteLink, editLink, upsertLink } from "#lib/links/editing";
import {
  changeLinkBody,
  createLinkBody,
  type Link,
  newLinkBody,
  parseNewLink,
} from "#lib/links/fields/schema";
import { access } from "./access.ts";
import { idempotencyHeader, idempotencyOf } from "./idempotency.ts";
import { asAppError } from "./link-errors.ts";
import { link, linkParams } from "./links-read.ts";
import { lookAlikeNote, reportLookAlikes } from "./look-alikes.ts";
import { readJson, valueOrThrow } from "./read-json.ts";
import { type ApiContext, Resource, responses } from "./router.ts";
import { reportIgnored } from "./unknown-names.ts";

export function linkOf(outcome: LinkOutcome | undefined): Link {
  if (!outcome) throw new Error("createLinks returned no outcome");
  if (!outcome.ok) throw asAppError(outcome);
  return outcome.link;
}

/** Responds with the link, and reports destinations that look like other sites in a header. */
function answer(c: ApiContext, body: unknown, made: Link) {
  reportLookAlikes(c, body, made.domain);
  return c.json(made, 200);
}

export const links = new Resource("Links");

// Documented only. The module parses the body itself, so that a link with only a URL skips all other validation.
links.document("createLink", "post /links", {
  ...access("links.write", { limitedKeys: true }),
  summary: "Create a link",
  description: lookAlikeNote,
  request: { headers: idempotencyHeader, looseBody: createLinkBody },
  responses: responses(200, link, "The created link."),
});
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

links.respond("upsertLink", "put /links/upsert", {
  ...access("links.write", { limitedKeys: true }),
  summary: "Create or update a link by url",
  description: `Updates the newest link with this \`url\` (on \`domain\`, if given), or creates one if there is none. Concurrent requests get the same link. ${lookAlikeNote}`,
  request: { looseBody: newLinkBody },
  responses: responses(200, link, "The created or updated link."),
  run: async ({ c, scope, body }) => answer(c, body, linkOf(await upsertLink(scope, body))),
});

/** Both methods change only the given fields. */
for (const [operationId, method, note] of [
  ["editLink", "patch", ""],
  ["replaceLink", "put", " (alias of PATCH)"],
] as const) {
  links.respond(operationId, `${method} /links/{id}`, {
    ...access("links.write", { limitedKeys: true }),
    summary: `Update a link${note}`,
    description: lookAlikeNote,
    request: { params: linkParams, looseBody: changeLinkBody },
    responses: responses(200, link, "The updated link."),
    run: async ({ c, scope, params, body }) =>
      answer(c, body, linkOf(await editLink(scope, params.id, body))),
  });
}

links.answer("deleteLink", "delete /links/{id}", {
  ...access("links.write", { limitedKeys: true }),
  summary: "Delete a link",
  description:
    "The short link stops working within a second. To keep it, set `disabled` or `archived` instead.",
  request: { params: linkParams },
  returns: [
    200,
    z.object({ id: z.string() }),
    "The id of the deleted link. It stops working within a second.",
  ],
  run: ({ scope, params }) => deleteLink(scope, params.id),
});
