/** One request per host at a time in all processes, and a daily budget of requests to a host. Without Redis there are none. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { takeAmount } from "#lib/platform/limits";
import { defineScript, redis, redisKeys } from "#lib/platform/redis";

/** Longer than a request may take, for processes that die. */
const turnMs = 30_000;
const stepMs = 50;

const endTurn = defineScript<[key: string, nonce: string, restMs: number], number>({
  name: "endHostTurn",
  lua: `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0`,
  keys: 1,
});

export type Turn<Result> =
  | { kind: "done"; result: Result }
  /** Others ask this host right now. */
  | { kind: "busy" }
  /** The budget of the host is used up until then. */
  | { kind: "spent"; seconds: number };

export interface TurnLimits {
  /** How long a check waits for its turn at a host. */
  waitMs: number;
  /** A host rests for this long between two requests. */
  restMs: number;
}

export async function inTurn<Result>(
  host: string,
  { waitMs, restMs }: TurnLimits,
  work: () => Promise<Result>,
): Promise<Turn<Result>> {
  const key = redisKeys.hostTurn(host);
  const nonce = randomUUID();
  // defence: one-request-per-host
  if (!(await takeTurn(key, nonce, Date.now() + waitMs))) return { kind: "busy" };
  try {
    // defence: checks-budget-per-host
    const seconds = await takeAmount("destinationChecksPerHost", host, 1);
    if (seconds > 0) return { kind: "spent", seconds };
    return { kind: "done", result: await work() };
  } finally {
    await endTurn(key, nonce, restMs).catch(() => undefined);
  }
}

async function takeTurn(key: string, nonce: string, until: number): Promise<boolean> {
  do {
    try {
      if ((await redis().set(key, nonce, "PX", turnMs, "NX")) !== null) return true;
    } catch {
      return false;
    }
    await sleep(stepMs);
  } while (Date.now() < until);
  return false;
}
