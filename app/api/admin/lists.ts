/** /api/admin/lists: the lists of destinations of the instance, and the links that they would refuse now. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  changeDestinationList,
  getInstanceLists,
  openInstanceLists,
  pollDestinationList,
} from "#lib/destinations/lists";
import {
  changeInstanceListBody,
  instanceListKinds,
  instanceListShape,
  instanceListsShape,
} from "#lib/destinations/lists/schema";
import { disableRefused, findRefusedJob, listRefused } from "#lib/office/refused-links";
import {
  disableRefusedBody,
  refusedJobShape,
  refusedLinksShape,
  refusedQuery,
} from "#lib/office/refused-links/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

export const lists = newRouter();

const params = z.object({ kind: z.enum(instanceListKinds) });

lists.openapi(
  createRoute({
    method: "get",
    path: "/lists",
    summary: "Get the lists of the instance",
    description: "The allow, block and warning lists with their entries and sources.",
    responses: responses(200, instanceListsShape, "All lists."),
  }),
  async (c) => c.json(await getInstanceLists(c.get("operator")), 200),
);

lists.openapi(
  createRoute({
    method: "get",
    path: "/lists/refused",
    summary: "List links that the lists of the instance would refuse now",
    description:
      "Existing links keep working when a list changes. A call checks up to 20,000 links and returns up to 100; continue with `next` until it is null.",
    request: { query: refusedQuery },
    responses: responses(200, refusedLinksShape, "Refused links, and where to continue."),
  }),
  async (c) => c.json(await listRefused(c.get("operator"), c.req.valid("query")), 200),
);

lists.openapi(
  createRoute({
    method: "post",
    path: "/lists/refused/disable",
    summary: "Turn off the links that the lists of the instance refuse",
    description: "Starts a job that checks all links. Their owners can turn them on again.",
    request: jsonBody(disableRefusedBody),
    responses: responses(202, refusedJobShape, "The job."),
  }),
  async (c) => c.json(await disableRefused(c.get("operator"), c.req.valid("json")), 202),
);

lists.openapi(
  createRoute({
    method: "get",
    path: "/lists/refused/job",
    summary: "Get the latest job that turns refused links off",
    responses: responses(200, refusedJobShape.nullable(), "The job; null: there was none."),
  }),
  async (c) => c.json((await findRefusedJob(c.get("operator"))) ?? null, 200),
);

lists.openapi(
  createRoute({
    method: "patch",
    path: "/lists/{kind}",
    summary: "Change a list of the instance",
    description:
      "Adds and removes entries. Those of the settings stay. New destinations are checked against the allow and block lists; visitors are warned before hosts of the warning list within a second.",
    request: { params, ...jsonBody(changeInstanceListBody) },
    responses: responses(200, instanceListShape, "The changed list."),
  }),
  async (c) => {
    const { reason, ...change } = c.req.valid("json");
    const scope = openInstanceLists(c.get("operator"), reason);
    return c.json(await changeDestinationList(scope, c.req.valid("param").kind, change), 200);
  },
);

lists.openapi(
  createRoute({
    method: "post",
    path: "/lists/{kind}/poll",
    summary: "Read the source of a list now",
    request: { params },
    responses: responses(200, instanceListShape, "The list after reading its source."),
  }),
  async (c) => {
    const scope = openInstanceLists(c.get("operator"));
    return c.json(await pollDestinationList(scope, c.req.valid("param").kind), 200);
  },
);
