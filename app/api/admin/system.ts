/** /api/admin/system and /api/admin/jobs: processes, queues and failed jobs. */
import { z } from "@hono/zod-openapi";
import { dropJob, readSystem, retryJob } from "#lib/office/system";
import { systemShape } from "#lib/office/system/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { OfficeResource } from "../router.ts";

export const system = new OfficeResource();

system.answer("get /system", {
  summary: "Get processes, queues and failed jobs",
  returns: [200, systemShape, "Processes by name, failed jobs newest first."],
  run: ({ operator }) => readSystem(operator),
});

const nameCharsMax = 200;
const name = z.string().min(1).max(nameCharsMax);
const jobChanges = { retry: retryJob, drop: dropJob };

for (const [verb, change] of Object.entries(jobChanges)) {
  system.answer(`post /jobs/{queue}/{id}/${verb}`, {
    summary: `Failed job: ${verb}`,
    request: {
      params: z.object({ queue: name, id: name }),
      body: z.strictObject({ reason: reasonField }),
    },
    returns: [200, z.object({ queue: z.string(), id: z.string() }), "Changed."],
    run: async ({ operator, params, body }) => {
      await change(operator, params, body.reason);
      return params;
    },
  });
}
