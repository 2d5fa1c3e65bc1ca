/** The queues of another instance, for tests of what administrators see of its jobs. */
import { Queue } from "bullmq";
import { redisKeys } from "#lib/platform/redis";

export function openQueue(redisUrl: string, name: string): Queue {
  return new Queue(name, { connection: { url: redisUrl }, prefix: redisKeys.queuePrefix });
}
