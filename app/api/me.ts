/** Who the caller is: to try a key, and for pages that show it. */
import { createRoute, z } from "@hono/zod-openapi";
import { permissions, roles } from "#lib/workspaces/schema";
import { answers, newRouter } from "./router.ts";

const meShape = z
  .object({
    userId: z.string().nullable(),
    /** Null for somebody who is signed in to the dashboard. */
    apiKeyId: z.string().nullable(),
    role: z.enum(roles),
    permissions: z.array(z.enum(permissions)),
    workspace: z.object({ id: z.string(), slug: z.string(), zone: z.string() }),
  })
  .openapi("Me");

const getMe = createRoute({
  method: "get",
  path: "/me",
  operationId: "getMe",
  tags: ["Account"],
  summary: "Who calls, and what they may do",
  responses: answers(200, meShape, "The caller."),
});

export const me = newRouter().openapi(getMe, (c) => {
  const scope = c.get("scope");
  return c.json(
    {
      userId: scope.userId,
      apiKeyId: scope.apiKeyPk === null ? null : scope.actor,
      role: scope.role,
      permissions: [...scope.permissions],
      workspace: { id: scope.workspaceId, slug: scope.slug, zone: scope.zone },
    },
    200,
  );
});
