/** How the pages look that visitors of the workspace's links meet. */
import { createRoute, z } from "@hono/zod-openapi";
import { changeLook, getLook } from "#lib/links/branding";
import { editLookBody, lookShape } from "#lib/links/branding/schema";
import { answers, jsonBody, newRouter } from "./router.ts";

const tags = ["Workspaces"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const shape = z.object(lookShape.shape).openapi("PageLook");

const get = createRoute({
  method: "get",
  path: "/page-look",
  operationId: "getPageLook",
  tags,
  summary: "How pages for visitors look",
  description: "Null is the plain look.",
  responses: answers(200, shape, "Color and logo."),
});

const edit = createRoute({
  method: "patch",
  path: "/page-look",
  operationId: "editPageLook",
  tags,
  summary: "Change how pages for visitors look",
  description:
    "For the pages that ask for a password, or say that a link ended, is not open yet or does not exist on a domain of the workspace. What is left out stays; null goes back to the plain look. For owners and admins in the dashboard: no key may.",
  request: jsonBody(editLookBody),
  responses: answers(200, shape, "The look as it is now."),
});

export const look = newRouter();

look.openapi(get, async (c) => c.json(await getLook(c.get("scope")), 200));
look.openapi(edit, async (c) => c.json(await changeLook(c.get("scope"), c.req.valid("json")), 200));
