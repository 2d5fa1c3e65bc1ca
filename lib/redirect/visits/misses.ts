/**
 * Limits the enumeration of links. Each process counts the misses of an address for a minute, in
 * memory only. Existing links are always answered, because carriers put thousands of people behind
 * one address, so only a certain miss is refused. Two numbers are stored per address under its
 * digest. If there are too many addresses, the one with the oldest minute is evicted.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { minuteMs } from "#lib/basics/time/schema";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { sendPage } from "#lib/redirect/visitor-pages";

/** Five a second: a full office with one dead link on a slide stays below this. */
export const missesPerMinuteMax = 300;
export const missingAddressesMax = 20_000;
const digestBytes = 6;

interface Minute {
  misses: number;
  endsAt: number;
}

export class Misses {
  /** In the order in which their minutes started: reading does not renew an entry. */
  readonly #minutes = new LRUCache<number, Minute>(atMost(missingAddressesMax));

  get size(): number {
    return this.#minutes.size;
  }

  /** Counts a miss. Returns 0 if it may be answered, otherwise the seconds to wait. */
  add(address: string, now: number): number {
    const subject = digest(addressSubject(address));
    const minute = this.#minutes.peek(subject);
    if (minute && now < minute.endsAt) {
      minute.misses += 1;
      return minute.misses > missesPerMinuteMax ? Math.ceil((minute.endsAt - now) / 1_000) : 0;
    }
    this.#minutes.set(subject, { misses: 1, endsAt: now + minuteMs });
    return 0;
  }
}

/** A number, because a substring of a header would keep the whole header in memory. */
function digest(subject: string): number {
  return createHash("sha256").update(subject).digest().readUIntBE(0, digestBytes);
}

const misses = new Misses();

/** Counts a miss. True: its address had too many and got a 429. */
export function refuseMiss(req: IncomingMessage, res: ServerResponse): boolean {
  const waitSeconds = misses.add(addressOf(req), Date.now());
  // defence: misses-per-network
  if (waitSeconds === 0) return false;
  sendPage(req, res, 429, "tooMany", { head: ["Retry-After", String(waitSeconds)] });
  return true;
}
