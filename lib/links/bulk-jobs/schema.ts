/** Bulk calls that go on after they were answered. */
import { z } from "zod";

/** A bulk call that goes on after it was answered. */
export const bulkJobShape = z.object({
  id: z.string(),
  status: z.enum(["waiting", "running", "done", "failed"]),
  /** Rows of the call, rows that are done, and rows of those that were refused. */
  total: z.number(),
  done: z.number(),
  refused: z.number(),
  error: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type BulkJob = z.infer<typeof bulkJobShape>;
