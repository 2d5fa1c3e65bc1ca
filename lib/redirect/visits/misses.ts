/**
 * Whoever asks for links that do not exist, one after the other, looks for those that do.
 *
 * Each process counts the misses of an address, for a minute from the first, in memory alone: a miss costs no store for
 * it. A link that exists is answered however many misses came before, because carriers put thousands of people behind
 * one address; so a miss is refused only once it is known to be one. What is kept per address is two numbers under the
 * digest of the address, and the address that began its minute first is forgotten when there are too many.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { sendPage } from "./pages.ts";

/** Five a second for a whole minute: a full office with one dead link on a slide stays below it. */
export const missesPerMinuteMax = 300;
export const missingAddressesMax = 20_000;
const minuteMs = 60_000;
const digestBytes = 6;

interface Minute {
  misses: number;
  endsAt: number;
}

export class Misses {
  /** In the order in which their minutes began: looking at one does not make it young. */
  readonly #minutes = new LRUCache<number, Minute>({ max: missingAddressesMax });

  get size(): number {
    return this.#minutes.size;
  }

  /** Counts a miss. 0: it may be answered as one; otherwise the seconds until the next may be. */
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

/** A number, so that no text of a request is kept: a piece of a header would keep all of it in memory. */
function digest(subject: string): number {
  return createHash("sha256").update(subject).digest().readUIntBE(0, digestBytes);
}

const misses = new Misses();

/** Counts a miss; true when its address had too many and has been told so. */
export function refuseMiss(req: IncomingMessage, res: ServerResponse): boolean {
  const waitSeconds = misses.add(addressOf(req), Date.now());
  if (waitSeconds === 0) return false;
  sendPage(req, res, 429, "tooMany", { head: ["Retry-After", String(waitSeconds)] });
  return true;
}
