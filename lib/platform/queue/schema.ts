import { z } from "zod";

export const queueCounts = z.object({
  name: z.string(),
  waiting: z.number(),
  running: z.number(),
  delayed: z.number().describe("Scheduled, or waiting for another attempt."),
  failed: z.number().describe("Failed finally. Kept for 30 days."),
});
export type QueueCounts = z.infer<typeof queueCounts>;

export const failedJob = z.object({
  queue: z.string(),
  id: z.string(),
  error: z.string(),
  attempts: z.number(),
  data: z.string().describe("The beginning of its data, as JSON."),
  createdAt: z.string(),
  failedAt: z.string(),
});
export type FailedJob = z.infer<typeof failedJob>;
