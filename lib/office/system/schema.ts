/** Processes and queues, as the API shows them. */
import { z } from "zod";
import { searchBacklog } from "#lib/links/indexing/schema";
import { processReport } from "#lib/platform/instance/schema";
import { failedJob, queueCounts } from "#lib/platform/queue/schema";

export const systemShape = z.object({
  processes: z
    .array(
      processReport.extend({ lost: z.boolean().describe("It has not reported for 35 seconds.") }),
    )
    .nullable()
    .describe("null: Redis is not available."),
  queues: z.array(queueCounts).nullable(),
  search: searchBacklog.nullable(),
  failed: z.array(failedJob).nullable().describe("The latest 100 of all queues."),
});
export type System = z.infer<typeof systemShape>;
