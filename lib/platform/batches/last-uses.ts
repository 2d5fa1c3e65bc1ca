/**
 * When keys and sessions were last used: to the minute, written in the background and in batches, because a row per
 * request would cost an API more than the request itself.
 */

import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";

const recordEveryMs = 60_000;
/**
 * How much later than it is stored something may have been used: each process notes a use once a minute, a row is written
 * once a minute, and a copy of it may be a minute old.
 */
export const useLagMinutes = 3;
const flushEveryMs = 1_000;
const namesMax = 50_000;

export class LastUses<Name extends string | number> {
  readonly #write: (names: Name[], at: Date) => Promise<void>;
  readonly #noted = new LRUCache<Name, number>(atMost(namesMax));
  #pending = new Set<Name>();
  #timer: NodeJS.Timeout | undefined;
  #opened = false;

  constructor(write: (names: Name[], at: Date) => Promise<void>) {
    this.#write = write;
  }

  note(name: Name, now: number): void {
    const last = this.#noted.get(name);
    if (last !== undefined && now - last < recordEveryMs) return;
    this.#noted.set(name, now);
    this.#pending.add(name);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs);
    if (this.#opened) return;
    this.#opened = true;
    onClose("uses", () => this.flush());
  }

  /** The last use that this process noted, whether or not it is written yet: in milliseconds, to the minute. */
  lastOf(name: Name): number | undefined {
    return this.#noted.peek(name);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const names = [...this.#pending];
    this.#pending = new Set();
    if (names.length === 0) return;
    try {
      await this.#write(names, new Date());
    } catch (error) {
      // The next use a minute later is recorded again.
      log.debug({ event: "uses.not_written", error: String(error) });
    }
  }
}
