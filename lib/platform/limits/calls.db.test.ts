import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterEach, expect, test, vi } from "vitest";
import { closeRedis, redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { takeCall } from "./calls.ts";

openTestStores();

const minuteMs = 60_000;
/** The start of a bucket. */
const now = 1_700_000_000_000;

afterEach(() => vi.restoreAllMocks());

test("max calls pass, the next is refused with Retry-After", async () => {
  const caller = randomUUID();
  for (let left = 4; left >= 0; left--) {
    expect(await takeCall(caller, 5, now)).toEqual({
      ok: true,
      limit: 5,
      remaining: left,
      resetsAt: (now + minuteMs + 2_000) / 1_000,
      retryAfterSeconds: 0,
    });
  }
  const refused = await takeCall(caller, 5, now + 1_500);
  expect(refused).toMatchObject({ ok: false, limit: 5, remaining: 0, retryAfterSeconds: 61 });
  expect(await takeCall(caller, 5, now + minuteMs + 1_999)).toMatchObject({ ok: false });
  expect(await takeCall(caller, 5, refused.resetsAt * 1_000)).toMatchObject({ ok: true });
});

test("no 60 seconds have more than max calls, however they are spread", async () => {
  const caller = randomUUID();
  const admitted: number[] = [];
  let at = now;
  let seed = 7;
  for (let call = 0; call < 1_500; call++) {
    seed = (seed * 16_807) % 2_147_483_647;
    at += seed % 300;
    if ((await takeCall(caller, 100, at)).ok) admitted.push(at);
  }
  expect(admitted.length).toBeGreaterThan(200);
  for (const [index, start] of admitted.entries()) {
    const within = admitted.slice(index).filter((one) => one < start + minuteMs);
    expect(within.length).toBeLessThanOrEqual(100);
  }
});

test("a refused call is not counted", async () => {
  const caller = randomUUID();
  for (let call = 0; call < 20; call++) await takeCall(caller, 3, now);
  const counts = await redis().hgetall(redisKeys.calls(caller));
  expect(Object.values(counts)).toEqual(["3"]);
});

test("300 calls at once over two connections let exactly max through", async () => {
  const caller = randomUUID();
  const second = new Redis(String(process.env["REDIS_URL"]));
  try {
    const first = redis();
    const calls: Promise<{ ok: boolean }>[] = [];
    for (let call = 0; call < 150; call++) {
      calls.push(takeCall(caller, 100));
      calls.push(throughOther(second, first, caller));
    }
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(100);
  } finally {
    second.disconnect();
  }
});

/** The same script, sent over a separate connection, as by another process. */
async function throughOther(other: Redis, first: unknown, caller: string) {
  const { scriptsSet } = first as { scriptsSet: Record<string, { lua: string }> };
  const lua = scriptsSet["countCall"]?.lua ?? "";
  const reply = await other.eval(lua, 1, redisKeys.calls(caller), 0, 100, 2_000, 30);
  return { ok: Array.isArray(reply) && reply[0] === 1 };
}

test("a call costs one round trip", async () => {
  const caller = randomUUID();
  await takeCall(caller, 5);
  const sent = vi.spyOn(Redis.prototype, "sendCommand");
  await takeCall(caller, 5);
  expect(sent).toHaveBeenCalledTimes(1);
});

test("one caller does not use up another's calls, and stored state expires", async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const startedAt = Date.now();
  expect((await takeCall(one, 1)).ok).toBe(true);
  expect((await takeCall(one, 1)).ok).toBe(false);
  expect((await takeCall(other, 1)).ok).toBe(true);
  const left = await redis().pttl(redisKeys.calls(one));
  expect(left + Date.now() - startedAt).toBeGreaterThan(minuteMs);
  expect(left).toBeLessThanOrEqual(minuteMs + 4_000);
});

test("without Redis the process enforces the same limit by itself", async () => {
  const caller = randomUUID();
  const away = async (at: number) => {
    // The new connection is not ready yet, so the call fails as in an outage.
    const call = takeCall(caller, 3, at);
    await closeRedis();
    return await call;
  };
  await closeRedis();
  for (let call = 0; call < 3; call++) expect((await away(now)).ok).toBe(true);
  expect(await away(now + 1_000)).toMatchObject({ ok: false, remaining: 0, retryAfterSeconds: 61 });
  expect((await away(now + minuteMs + 2_000)).ok).toBe(true);
});
