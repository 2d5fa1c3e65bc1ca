/** For db tests. */
import { redis } from "#lib/platform/redis";

/** Forgets all uses of rate limits. Flushing Redis would also drop the tombstones that keep old values out of shared caches. */
export async function resetLimits(): Promise<void> {
  const keys = await redis("limits").keys("limit:*");
  if (keys.length > 0) await redis("limits").del(keys);
}
