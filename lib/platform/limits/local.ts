/** The same windows in memory, while Redis is unavailable. */
import { LRUCache } from "lru-cache";

interface WindowAttempt {
  now: number;
  windowMs: number;
  max: number;
  id: string;
}

const keysMax = 10_000;

export class LocalWindows {
  readonly #attempts = new LRUCache<string, { at: number; id: string }[]>({ max: keysMax });

  /** 0: counted. Otherwise the milliseconds until the next attempt is possible. */
  try(key: string, { now, windowMs, max, id }: WindowAttempt): number {
    const recent = (this.#attempts.get(key) ?? []).filter(({ at }) => at > now - windowMs);
    const oldest = recent[0];
    if (oldest && recent.length >= max) return oldest.at + windowMs - now;
    recent.push({ at: now, id });
    this.#attempts.set(key, recent);
    return 0;
  }

  refund(key: string, id: string): void {
    const recent = this.#attempts.get(key)?.filter((attempt) => attempt.id !== id);
    if (recent) this.#attempts.set(key, recent);
  }
}
