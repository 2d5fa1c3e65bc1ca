export { atMost } from "./cache.ts";
export { FairQueue, type QueueOwner } from "./fair-queue.ts";
export { allowLongTimeouts, hasLongTimeouts, withTimeout } from "./timeouts.ts";
