/**
 * Limits the enumeration of links.
 *
 * Each process counts the misses of an address, for a minute from the first, in memory only: a miss needs no store for
 * it. An existing link is answered after any number of misses, because carriers put thousands of people behind one
 * address; so a miss is refused only once it is certain. Two numbers are stored per address under its digest, and the
 * address with the oldest minute is evicted when there are too many.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { minuteMs } from "#lib/basics/time/schema";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { sendPage } from "#lib/redirect/visitor-pages";

/** Five a second for a whole minute: a full office with one dead link on a slide stays below it. */
export const missesPerMinuteMax = 300;
export const missingAddressesMax = 20_000;
const digestBytes = 6;

interface Minute {
  misses: number;
  endsAt: number;
}

export class Misses {
  /** In the order in which their minutes started: a read does not renew an entry. */
  readonly #minutes = new LRUCache<number, Minute>(atMost(missingAddressesMax));

  get size(): number {
    return this.#minutes.size;
  }

  /** Counts a miss. 0: it may be answered as one; otherwise the seconds to wait. */
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

/** A number, so that no text of a request is retained: a substring of a header would keep all of it in memory. */
function digest(subject: string): number {
  return createHash("sha256").update(subject).digest().readUIntBE(0, digestBytes);
}

const misses = new Misses();

/** Counts a miss; true when its address had too many and got a 429. */
export function refuseMiss(req: IncomingMessage, res: ServerResponse): boolean {
  const waitSeconds = misses.add(addressOf(req), Date.now());
  // defence: misses-per-network
  if (waitSeconds === 0) return false;
  sendPage(req, res, 429, "tooMany", { head: ["Retry-After", String(waitSeconds)] });
  return true;
}
