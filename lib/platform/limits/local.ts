/** Windows of attempts in memory, while Redis is unavailable. */
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";

interface WindowAttempt {
  now: number;
  windowMs: number;
  max: number;
  id: string;
}

interface CountedAttempt {
  at: number;
  id: string;
}

const keysMax = 10_000;

export class LocalWindows {
  readonly #attempts = new LRUCache<string, CountedAttempt[]>(atMost(keysMax));

  try(key: string, { now, windowMs, max, id }: WindowAttempt): number {
    const recent = (this.#attempts.get(key) ?? []).filter(({ at }) => at > now - windowMs);
    const oldest = recent[0];
    if (oldest && recent.length >= max) return oldest.at + windowMs - now;
    recent.push({ at: now, id });
    this.#attempts.set(key, recent);
    return 0;
  }

  attemptsOf(key: string): readonly CountedAttempt[] {
    return this.#attempts.get(key) ?? [];
  }

  remove(key: string, id: string): void {
    const others = this.#attempts.get(key)?.filter((attempt) => attempt.id !== id);
    if (others?.length) this.#attempts.set(key, others);
    else this.#attempts.delete(key);
  }
}
