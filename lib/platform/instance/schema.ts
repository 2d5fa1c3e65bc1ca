import { z } from "zod";

export const processReport = z.object({
  id: z.string().describe("Host and process number."),
  name: z.string().describe("What the process does, such as front or worker."),
  host: z.string(),
  pid: z.number(),
  node: z.string().describe("Version of Node."),
  startedAt: z.string(),
  at: z.string().describe("When it was written."),
  cpu: z.number().describe("Part of one core since the report before."),
  rssBytes: z.number(),
  heapBytes: z.number(),
  delayMs: z.number().describe("99th percentile of the delay of its event loop."),
  readsBlocks: z
    .boolean()
    .default(false)
    .describe("Whether it reads old clicks in blocks. Versions before blocks do not."),
  counters: z.record(z.string(), z.number()).describe("Its metrics that count, without zeros."),
});
/** A killed process is shown as lost until then. */
export const forgottenAfterMs = 600_000;
export type ProcessReport = z.infer<typeof processReport>;
