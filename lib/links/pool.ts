/**
 * Codes that are ready before anyone asks: a range is leased and its codes are made ahead, sized to the rate at which
 * they are taken. Creating a link takes one from memory.
 */
import { makeCodes, type ReadyCode } from "#lib/codes";
import { leaseRange } from "./ranges.ts";

const refillMin = 32;
const refillMax = 16_384;
/** A refill should last this long. */
const refillSeconds = 2;

let ready: ReadyCode[] = [];
let refilling: Promise<void> | undefined;
let refillSize = refillMin;
let refilledAt = 0;
let takenSince = 0;

/** Fills the pool for the first time, so that the first create does not wait. */
export async function openPool(): Promise<void> {
  await refill();
}

/** Takes `count` codes; waits only when the pool was emptied faster than it is filled. */
export async function takeCodes(count: number): Promise<ReadyCode[]> {
  const taken: ReadyCode[] = [];
  for (;;) {
    takenSince += Math.min(ready.length, count - taken.length);
    taken.push(...ready.splice(0, count - taken.length));
    if (taken.length === count) break;
    await refill(count - taken.length);
  }
  // Before it runs out: half of the last refill is left for the time that the next one takes.
  if (ready.length < refillSize / 2) refill().catch(() => undefined); // the next take reports it
  return taken;
}

function refill(atLeast = 0): Promise<void> {
  refilling ??= fill(atLeast).finally(() => {
    refilling = undefined;
  });
  return refilling;
}

async function fill(atLeast: number): Promise<void> {
  const now = performance.now();
  const seconds = Math.max((now - refilledAt) / 1_000, 0.001);
  const wanted = Math.max((takenSince / seconds) * refillSeconds, atLeast);
  refillSize = Math.round(Math.min(Math.max(wanted, refillMin), refillMax));
  refilledAt = now;
  takenSince = 0;
  const range = await leaseRange(refillSize);
  ready = ready.concat(await makeCodes(range.start, range.count));
}
