/**
 * Group commit: the first item is written at once; those that arrive while a write is in flight form the next batch.
 * Nothing waits for a clock: at low load a write starts immediately, at high load batches fill by themselves.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>;
  readonly #batchMax: number;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (e: unknown) => void }[] = [];
  #writing: Promise<void> | undefined;

  /** `write` answers one result an item, in their order. What it throws, every item of the batch gets. */
  constructor(batchMax: number, write: (items: Item[]) => Promise<Result[]>) {
    this.#batchMax = batchMax;
    this.#write = write;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    // What one turn of the event loop brings belongs together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchMax);
      try {
        const results = await this.#write(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, at) => {
          const result = results[at];
          if (result === undefined) reject(new Error("A batch answered fewer results than items"));
          else resolve(result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }
}
