/**
 * A pool of codes that are computed ahead, so that creating a link takes one from memory. A refill
 * is sized to the rate of use and computed in slices that are usable at once: a burst after a quiet
 * time finds a small pool, and the large refill that it causes takes a third of a second.
 */
import { makeCodes, type ReadyCode } from "#lib/platform/codes";
import { exposeCounters } from "#lib/platform/log";
import { leaseRange, pksOfRange } from "./ranges.ts";

const refillMin = 64;
const refillMax = 16_384;
const refillSeconds = 2;
/** Takes the thread that computes codes about ten milliseconds. */
const sliceCodes = 512;

export const poolCounters = { taken: 0, made: 0, refills: 0, waits: 0, errors: 0 };
exposeCounters(
  "code_pool",
  "Codes generated in advance and used, and requests that had to wait for one.",
  poolCounters,
);

let ready: ReadyCode[] = [];
/** Index of the next code in `ready`, because removing codes would move thousands of others each time. */
let next = 0;
let refilling = false;
let refillSize = refillMin;
let refilledAt = 0;
let takenSince = 0;
let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];

export async function openPool(): Promise<void> {
  await moreCodes(refillMin);
}

/** Takes `count` codes. Waits only if the pool is used faster than it is filled. */
export async function takeCodes(count: number): Promise<ReadyCode[]> {
  const taken = takeReady(count);
  if (taken.length < count) poolCounters.waits += 1;
  while (taken.length < count) {
    const missing = count - taken.length;
    await moreCodes(missing);
    taken.push(...takeReady(missing));
  }
  // Refill early: half of the last refill lasts until the next one is done.
  if (ready.length - next < refillSize / 2) void refill(0);
  return taken;
}

function takeReady(count: number): ReadyCode[] {
  const taken = ready.slice(next, next + count);
  next += taken.length;
  takenSince += taken.length;
  poolCounters.taken += taken.length;
  return taken;
}

/** Resolves when more codes are available. Throws if the refill fails. */
function moreCodes(atLeast: number): Promise<void> {
  const arrival = new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
  void refill(atLeast);
  return arrival;
}

async function refill(atLeast: number): Promise<void> {
  if (refilling) return;
  refilling = true;
  try {
    await fill(atLeast);
    settleWaiting(({ resolve }) => resolve());
  } catch (error) {
    poolCounters.errors += 1;
    // Waiting callers report the error. Without any, the next take tries again.
    settleWaiting(({ reject }) => reject(error));
  } finally {
    refilling = false;
  }
}

function settleWaiting(settle: (one: (typeof waiting)[number]) => void): void {
  const settled = waiting;
  waiting = [];
  settled.forEach(settle);
}

async function fill(atLeast: number): Promise<void> {
  const now = performance.now();
  const seconds = Math.max((now - refilledAt) / 1_000, 0.001);
  const wanted = Math.max((takenSince / seconds) * refillSeconds, atLeast);
  refillSize = Math.round(Math.min(Math.max(wanted, refillMin), refillMax));
  refilledAt = now;
  takenSince = 0;
  poolCounters.refills += 1;
  const pks = pksOfRange(await leaseRange(refillSize));
  for (let at = 0; at < pks.length; at += sliceCodes) {
    const codes = await makeCodes(pks.slice(at, at + sliceCodes));
    poolCounters.made += codes.length;
    ready = ready.slice(next).concat(codes);
    next = 0;
    settleWaiting(({ resolve }) => resolve());
  }
}
