import { z } from "zod";

export const bulkJobShape = z.object({
  id: z.string(),
  status: z.enum(["waiting", "running", "done", "failed"]),
  total: z.number(),
  done: z.number(),
  refused: z.number(),
  error: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type BulkJob = z.infer<typeof bulkJobShape>;
