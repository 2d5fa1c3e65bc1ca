/**
 * A given Redis for tests. They empty its databases 1 to 15, so those must be empty or left over from tests: a key in
 * database 0 marks them during a run, and stays when the run is killed.
 */
import { Redis } from "ioredis";
import { Advice } from "../scripts/processes.ts";

const marker = "fuxi:test-databases";
const numbers = Array.from({ length: 15 }, (_, at) => at + 1);

/** Reserves the databases for a run, or throws for one with other keys; returns their release. */
export async function reserveRedis(url: string): Promise<() => Promise<void>> {
  if (url.includes(",")) {
    throw new Advice("The tests need one Redis server with 16 databases; REDIS_URL is a Cluster.");
  }
  await withRedis(url, async (redis) => {
    const marked = (await redis.exists(marker)) === 1;
    const used = [...(await redis.info("keyspace")).matchAll(/^db([1-9]\d*):/gm)];
    if (used.length > 0 && !marked) {
      throw new Advice(
        `The tests empty the databases 1 to 15 of REDIS_URL, but number ${used[0]?.[1]} holds keys. Give them a Redis of their own.`,
      );
    }
    await redis.set(marker, "1");
  });
  return () =>
    withRedis(url, async (redis) => {
      for (const number of numbers) {
        await redis.select(number);
        await redis.flushdb();
      }
      await redis.select(0);
      await redis.del(marker);
    });
}

async function withRedis(url: string, work: (redis: Redis) => Promise<void>): Promise<void> {
  const address = new URL(url);
  address.pathname = "/0";
  const redis = new Redis(address.href, { maxRetriesPerRequest: 3 });
  redis.on("error", () => {
    // The command that waits for the connection reports it.
  });
  try {
    await work(redis);
  } finally {
    redis.disconnect();
  }
}
