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
  counters: z.record(z.string(), z.number()).describe("Its metrics that count, without zeros."),
});
export type ProcessReport = z.infer<typeof processReport>;
