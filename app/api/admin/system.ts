/** /api/admin/system and /api/admin/jobs: processes, queues and failed jobs. */
import { createRoute, z } from "@hono/zod-openapi";
import { dropJob, readSystem, retryJob } from "#lib/office/system";
import { systemShape } from "#lib/office/system/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

export const system = newRouter();

system.openapi(
  createRoute({
    method: "get",
    path: "/system",
    summary: "Get processes, queues and failed jobs",
    responses: responses(200, systemShape, "Processes by name, failed jobs newest first."),
  }),
  async (c) => c.json(await readSystem(c.get("operator")), 200),
);

const nameCharsMax = 200;
const name = z.string().min(1).max(nameCharsMax);
const jobChanges = { retry: retryJob, drop: dropJob };

for (const [verb, change] of Object.entries(jobChanges)) {
  system.openapi(
    createRoute({
      method: "post",
      path: `/jobs/{queue}/{id}/${verb}`,
      summary: `Failed job: ${verb}`,
      request: {
        params: z.object({ queue: name, id: name }),
        ...jsonBody(z.strictObject({ reason: reasonField })),
      },
      responses: responses(200, z.object({ queue: z.string(), id: z.string() }), "Changed."),
    }),
    async (c) => {
      const job = c.req.valid("param");
      await change(c.get("operator"), job, c.req.valid("json").reason);
      return c.json(job, 200);
    },
  );
}
