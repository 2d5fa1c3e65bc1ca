/** Entries that arrive during a query form the next batch. It does not wait for a slow query. */
import { hasLongTimeouts, withTimeout } from "#lib/basics/bounds";
import { bisect } from "#lib/platform/batches";
import { isBadValue } from "#lib/platform/errors";
import type { Outage } from "./outage.ts";

export interface LoadedValue<T> {
  revision: number;
  value: T;
}

interface PendingLoad<T> {
  entry: string;
  resolve: (loaded: LoadedValue<T> | undefined) => void;
  reject: (error: unknown) => void;
}

const batchMax = 500;
/** With 2 ms on a busy machine, more and smaller queries slowed down even visits that need no disk. */
const usualMs = 5;
const queriesMax = 4;
const loadTimeoutMs = 1_500;
const pageLoadTimeoutMs = 15_000;

export class BatchLoader<T> {
  readonly counters = { loads: 0, loadErrors: 0 };
  readonly #query: (entries: string[]) => Promise<Map<string, LoadedValue<T>>>;
  readonly #outage: Outage;
  #waiting: PendingLoad<T>[] = [];
  #queries = 0;
  /** The query that the next batch waits for. */
  #awaited: symbol | undefined;

  constructor(
    query: (entries: string[]) => Promise<Map<string, LoadedValue<T>>>,
    outage: Outage,
    counters = { loads: 0, loadErrors: 0 },
  ) {
    this.#query = query;
    this.#outage = outage;
    this.counters = counters;
  }

  load(entry: string): Promise<LoadedValue<T> | undefined> {
    const refused = this.#outage.refuse(Date.now());
    if (refused) return Promise.reject(refused.because);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.#waiting.length === 0 || this.#awaited || this.#queries >= queriesMax) return;
    void this.#run(this.#waiting.splice(0, batchMax));
  }

  async #run(batch: PendingLoad<T>[]): Promise<void> {
    const query = Symbol("query");
    this.#awaited = query;
    this.#queries += 1;
    // Handle input that has already arrived first: the answer may be in it.
    const late = setTimeout(() => setImmediate(() => this.#pass(query)), usualMs);
    await this.#answer(batch);
    clearTimeout(late);
    this.#queries -= 1;
    this.#pass(query);
  }

  #pass(query: symbol): void {
    if (this.#awaited === query) this.#awaited = undefined;
    this.#start();
  }

  /** A batch with a bad value is cut in halves, so that other entries are not affected. */
  async #answer(batch: PendingLoad<T>[]): Promise<void> {
    this.counters.loads += batch.length;
    try {
      const outcomes = await bisect(batch, (part) => this.#ask(part), isBadValue);
      this.#outage.answered();
      for (const [at, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[at];
        if (!outcome?.ok) this.counters.loadErrors += 1;
        if (outcome?.ok) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      this.#outage.failed(error);
      this.counters.loadErrors += batch.length;
      // Waiting lookups would wait just as long for the same failure.
      batch.push(...this.#waiting.splice(0));
      for (const waiting of batch) waiting.reject(error);
    }
  }

  async #ask(batch: readonly PendingLoad<T>[]): Promise<(LoadedValue<T> | undefined)[]> {
    const found = await withTimeout(hasLongTimeouts() ? pageLoadTimeoutMs : loadTimeoutMs, () =>
      this.#query(batch.map(({ entry }) => entry)),
    );
    return batch.map(({ entry }) => found.get(entry));
  }
}
