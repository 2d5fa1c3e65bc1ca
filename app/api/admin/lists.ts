import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/destinations/lists";
import * as fields from "#lib/destinations/lists/schema";
import { disableRefused, findRefusedJob, listRefused } from "#lib/office/refused-links";
import {
  disableRefusedBody,
  refusedJobShape,
  refusedLinksShape,
  refusedQuery,
} from "#lib/office/refused-links/schema";
import { OfficeResource } from "../router.ts";

export const lists = new OfficeResource();

const params = z.object({ kind: z.enum(fields.instanceListKinds) });

lists.answer("get /lists", {
  summary: "Get the lists of the instance",
  description: "The allow, block and warning lists with their entries and sources.",
  returns: [200, fields.instanceListsShape, "All lists."],
  run: ({ operator }) => verbs.getInstanceLists(operator),
});

lists.answer("get /lists/refused", {
  summary: "List links that the current lists of the instance would refuse",
  description:
    "Existing links keep working when a list changes. A call checks up to 20,000 links and returns up to 100; continue with `next` until it is null.",
  request: { query: refusedQuery },
  returns: [200, refusedLinksShape, "Refused links, and where to continue."],
  run: ({ operator, query }) => listRefused(operator, query),
});

lists.answer("post /lists/refused/disable", {
  summary: "Turn off the links that the lists of the instance refuse",
  description: "Starts a job that checks all links. Their owners can turn them on again.",
  request: { body: disableRefusedBody },
  returns: [202, refusedJobShape, "The job."],
  run: ({ operator, body }) => disableRefused(operator, body),
});

lists.answer("get /lists/refused/job", {
  summary: "Get the latest job that turns refused links off",
  returns: [200, refusedJobShape.nullable(), "The job; null: there was none."],
  run: async ({ operator }) => (await findRefusedJob(operator)) ?? null,
});

lists.answer("patch /lists/{kind}", {
  summary: "Change a list of the instance",
  description:
    "Adds and removes entries. Entries from environment variables stay. New destinations are checked against the allow and block lists; visitors are warned before hosts of the warning list within a second.",
  request: { params, body: fields.changeInstanceListBody },
  returns: [200, fields.instanceListShape, "The changed list."],
  run: async ({ operator, params, body: { reason, ...change } }) => {
    const scope = verbs.openInstanceLists(operator, reason);
    return await verbs.changeDestinationList(scope, params.kind, change);
  },
});

lists.answer("post /lists/{kind}/poll", {
  summary: "Read the source of a list now",
  request: { params },
  returns: [200, fields.instanceListShape, "The list after reading its source."],
  run: async ({ operator, params }) => {
    const scope = verbs.openInstanceLists(operator);
    return await verbs.pollDestinationList(scope, params.kind);
  },
});
