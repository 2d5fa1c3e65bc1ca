/**
 * A worker of bench/ingest.ts: counts what is in the stream, then closes every slot, and reports the duration of both.
 */

import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { rollSlots } from "#lib/analytics/rollups";
import { configOrExit } from "#lib/platform/config";
import { redis, redisReady } from "#lib/platform/redis";

const aheadMs = 900_000;

configOrExit();
await redisReady(redis(), 5_000);
await openIngest();
process.on("message", async (message) => {
  if (message !== "count") return;
  const begin = performance.now();
  const cpu = process.cpuUsage();
  await ingestAll();
  const ingested = performance.now();
  // Everything in the stream, including the present quarter hour.
  const slots = await rollSlots(new Date(Date.now() + aheadMs));
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    ingestMs: ingested - begin,
    rollMs: performance.now() - ingested,
    slots,
    cpuMs: (user + system) / 1_000,
  });
});
process.send?.("ready");
