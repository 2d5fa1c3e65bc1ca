/** A call that exceeds the rest of its budget is refused as a whole. Without Redis, each process counts alone. */
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { defineScript, redisKeys } from "#lib/platform/redis";

export const budgets = {
  // Rows whose answers reveal something about a phone to actors who only see masks.
  tellingRowsPerActor: { max: 20_000, windowSeconds: 86_400 },
  publicLinksPerInstance: { max: 10_000, windowSeconds: 86_400 },
  // Requests to a site that did not ask for them, of all workspaces together.
  destinationChecksPerHost: { max: 500, windowSeconds: 86_400 },
} as const;
type BudgetName = keyof typeof budgets;

const script = `
local max, amount, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used + amount > max then
  return math.max(redis.call('PTTL', KEYS[1]), 1)
end
redis.call('INCRBY', KEYS[1], amount)
if used == 0 then
  redis.call('PEXPIRE', KEYS[1], window)
end
return 0`;

const takeShared = defineScript<
  [key: string, max: number, amount: number, windowMs: number],
  number
>({ purpose: "limits", name: "takeAmount", lua: script, keys: 1 });

const subjectsMax = 10_000;
const local = new LRUCache<string, { used: number; until: number }>(atMost(subjectsMax));

export async function takeAmount(
  name: BudgetName,
  subject: string,
  amount: number,
): Promise<number> {
  const { max, windowSeconds } = budgets[name];
  const windowMs = windowSeconds * 1_000;
  const key = redisKeys.limit(name, subject);
  let waitMs: number;
  try {
    waitMs = await takeShared(key, max, amount, windowMs);
  } catch {
    waitMs = takeLocally(key, { max, amount, windowMs, now: Date.now() });
  }
  return Math.ceil(waitMs / 1_000);
}

interface Taking {
  max: number;
  amount: number;
  windowMs: number;
  now: number;
}

function takeLocally(key: string, { max, amount, windowMs, now }: Taking): number {
  const known = local.get(key);
  const one = known && known.until > now ? known : { used: 0, until: now + windowMs };
  if (one.used + amount > max) return one.until - now;
  local.set(key, { ...one, used: one.used + amount });
  return 0;
}
