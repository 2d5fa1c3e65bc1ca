/** How far counting is behind: entries in the streams, their age, and slots to be rolled. */

import { countWaitingSlots } from "#lib/analytics/rollups";
import { config } from "#lib/platform/config";
import { exposeGauges } from "#lib/platform/log";
import { redis, redisKeys } from "#lib/platform/redis";

interface Lag {
  /** Groups of clicks in all streams. */
  entries: number;
  /** Age of the oldest of them. */
  seconds: number;
  /** Finished quarter hours that were touched since they were rolled. */
  slots: number;
}

/** Reads the stores, not this process: any process can answer, even while no worker runs. */
export async function readLag(now = Date.now()): Promise<Lag> {
  const lag = { entries: 0, seconds: 0, slots: await countWaitingSlots(now) };
  for (let shard = 0; shard < config().FUXI_CLICK_SHARDS; shard++) {
    const stream = redisKeys.clickStream(shard);
    lag.entries += await redis("clicks").xlen(stream);
    const [oldest] = await redis("clicks").xrange(stream, "-", "+", "COUNT", 1);
    // The id of an entry starts with the moment at which Redis received it.
    if (oldest) lag.seconds = Math.max(lag.seconds, (now - Number.parseInt(oldest[0], 10)) / 1_000);
  }
  return lag;
}

exposeGauges("lag", "How far click counting lags behind, in entries, seconds and slots.", () =>
  readLag(),
);
