/**
 * A pool of codes prepared ahead: a range is leased and its codes are computed, sized to the rate at which they are
 * taken. Creating a link takes one from memory.
 *
 * A refill is computed in slices, each usable at once: after a quiet time a burst finds a small pool, and the large
 * refill that it causes takes a third of a second.
 */
import { makeCodes, type ReadyCode } from "#lib/platform/codes";
import { exposeCounters } from "#lib/platform/log";
import { leaseRange, pksOfRange } from "./ranges.ts";

const refillMin = 64;
const refillMax = 16_384;
/** A refill should last this long. */
const refillSeconds = 2;
/** About ten milliseconds of the thread that computes codes. */
const sliceCodes = 512;

export const poolCounters = { taken: 0, made: 0, refills: 0, waits: 0, errors: 0 };
exposeCounters(
  "code_pool",
  "Codes generated in advance and used, and requests that had to wait for one.",
  poolCounters,
);

let ready: ReadyCode[] = [];
/** Of `ready`: those before it are taken. Removing them one by one moved thousands of others for every link. */
let next = 0;
let refilling = false;
let refillSize = refillMin;
let refilledAt = 0;
let takenSince = 0;
let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];

/** Fills the pool for the first time, so that the first create does not wait. */
export async function openPool(): Promise<void> {
  await moreCodes(refillMin);
}

/** Takes `count` codes; waits only when the pool was emptied faster than it is filled. */
export async function takeCodes(count: number): Promise<ReadyCode[]> {
  const taken = takeReady(count);
  if (taken.length < count) poolCounters.waits += 1;
  while (taken.length < count) {
    const missing = count - taken.length;
    await moreCodes(missing);
    taken.push(...takeReady(missing));
  }
  // Early: half of the last refill covers the time of the next one.
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

/** Resolves when codes are available again, and throws when a refill fails. */
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
    // Waiting callers report it; without any, the next take tries again.
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
