/** Who is calling the back office. */
import { z } from "@hono/zod-openapi";
import { OfficeResource } from "../router.ts";

export const me = new OfficeResource();

me.answer("get /me", {
  summary: "Get the administrator",
  returns: [
    200,
    z.object({ id: z.string(), via: z.enum(["dashboard", "token", "cli"]) }),
    "The caller.",
  ],
  run: ({ operator }) => {
    const { actor, via } = operator;
    return { id: actor, via };
  },
});
