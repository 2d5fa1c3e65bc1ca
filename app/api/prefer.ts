/** The header `Prefer` (RFC 7240). */
import { z } from "@hono/zod-openapi";
import type { ApiContext } from "./router.ts";

export const preferHeader = z.object({
  prefer: z
    .string()
    .optional()
    .describe("Preferences of the client (RFC 7240), see the description of the operation."),
});

export function prefers(c: ApiContext, preference: string): boolean {
  const preferences = (c.req.header("prefer") ?? "").toLowerCase().split(/[,;]/);
  return preferences.some((one) => one.replace(/\s/g, "") === preference);
}

/** Responds with 202, because the work continues after the response. `path` is the path of the job in the API. */
export function respondWithJob(c: ApiContext, path: string, job: object): Response {
  c.header("Location", `/api${path}`);
  c.header("Preference-Applied", "respond-async");
  return c.json(job, 202);
}
