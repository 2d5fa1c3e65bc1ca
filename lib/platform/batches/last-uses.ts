/** Last uses are written to the minute, in batches: a write per request would cost more than the request. */
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";

const recordEveryMs = 60_000;
/** A use is noted once a minute, written within a minute, and read from rows cached for a minute. */
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
      log.debug({ event: "uses.not_written", error: String(error) });
    }
  }
}
