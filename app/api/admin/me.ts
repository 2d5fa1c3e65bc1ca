/** Who is calling the back office. */
import { createRoute, z } from "@hono/zod-openapi";
import { newRouter, responses } from "../router.ts";

export const me = newRouter();

me.openapi(
  createRoute({
    method: "get",
    path: "/me",
    summary: "Get the administrator",
    responses: responses(
      200,
      z.object({ id: z.string(), via: z.enum(["dashboard", "token", "cli"]) }),
      "The caller.",
    ),
  }),
  (c) => {
    const { actor, via } = c.get("operator");
    return c.json({ id: actor, via }, 200);
  },
);
