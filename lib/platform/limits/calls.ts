/**
 * At most `max` API calls in any 60 seconds per caller: a hash of 30 buckets that one script reads
 * and writes, in one round trip. Callers may wait two seconds longer than needed, never less. Uses
 * the clock of Redis.
 */
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { defineScript, redisKeys } from "#lib/platform/redis";

const bucketMs = 2_000;
const buckets = 30;

export interface CallOutcome {
  ok: boolean;
  limit: number;
  remaining: number;
  /** When the oldest calls leave the window, in seconds since 1970. */
  resetsAt: number;
  retryAfterSeconds: number;
}

const script = `
local now, max, bucketMs, buckets = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local bucket = math.floor(now / bucketMs)
local counts = redis.call('HGETALL', KEYS[1])
local sum, oldest = 0, bucket
for at = 1, #counts, 2 do
  local counted = tonumber(counts[at])
  if counted < bucket - buckets then
    redis.call('HDEL', KEYS[1], counts[at])
  else
    sum = sum + counts[at + 1]
    oldest = math.min(oldest, counted)
  end
end
local admitted = 0
if sum < max then
  admitted = 1
  redis.call('HINCRBY', KEYS[1], string.format('%d', bucket), 1)
  redis.call('PEXPIRE', KEYS[1], bucketMs * (buckets + 2))
end
return { admitted, sum + admitted, oldest, now }`;

type CountReply = [admitted: number, sum: number, oldest: number, now: number];

const countCall = defineScript<
  [key: string, now: number, max: number, bucketMs: number, buckets: number],
  CountReply
>({ purpose: "limits", name: "countCall", lua: script, keys: 1 });

const callersMax = 10_000;
const local = new LRUCache<string, Map<number, number>>(atMost(callersMax));

function countLocally(caller: string, now: number, max: number): CountReply {
  const bucket = Math.floor(now / bucketMs);
  const counts = local.get(caller) ?? new Map<number, number>();
  let sum = 0;
  let oldest = bucket;
  for (const [counted, calls] of counts) {
    if (counted < bucket - buckets) counts.delete(counted);
    else {
      sum += calls;
      oldest = Math.min(oldest, counted);
    }
  }
  local.set(caller, counts);
  if (sum >= max) return [0, sum, oldest, now];
  counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  return [1, sum + 1, oldest, now];
}

/** `now` is for tests; otherwise Redis provides the time. */
export async function takeCall(caller: string, max: number, now = 0): Promise<CallOutcome> {
  let counted: CountReply;
  try {
    counted = await countCall(redisKeys.calls(caller), now, max, bucketMs, buckets);
  } catch {
    counted = countLocally(caller, now || Date.now(), max);
  }
  const [admitted, sum, oldest, at] = counted;
  const resetsAtMs = (oldest + buckets + 1) * bucketMs;
  return {
    ok: admitted === 1,
    limit: max,
    remaining: Math.max(0, max - sum),
    resetsAt: Math.ceil(resetsAtMs / 1_000),
    retryAfterSeconds: admitted === 1 ? 0 : Math.ceil((resetsAtMs - at) / 1_000),
  };
}
