/** Group commit without a timer: items that arrive during `writesMax` writes form the next batch. */
export class GroupCommit<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>;
  readonly #batchMax: number;
  readonly #writesMax: number;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (e: unknown) => void }[] = [];
  #gathering = false;
  readonly #writers = new Set<Promise<void>>();

  /** `write` returns one result per item, in order. An error that it throws applies to every item of the batch. */
  constructor(
    limits: { batchMax: number; writesMax: number },
    write: (items: Item[]) => Promise<Result[]>,
  ) {
    this.#batchMax = limits.batchMax;
    this.#writesMax = limits.writesMax;
    this.#write = write;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#startWriter();
    });
  }

  #startWriter(): void {
    if (this.#gathering || this.#writers.size >= this.#writesMax) return;
    const writer = this.#drain().finally(() => this.#writers.delete(writer));
    this.#writers.add(writer);
  }

  async #drain(): Promise<void> {
    this.#gathering = true;
    await new Promise(setImmediate);
    this.#gathering = false;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchMax);
      if (this.#waiting.length > 0) this.#startWriter();
      try {
        const results = await this.#write(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, at) => {
          const result = results[at];
          if (result === undefined) reject(new Error("A batch returned fewer results than items"));
          else resolve(result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  async idle(): Promise<void> {
    while (this.#writers.size > 0) await Promise.all(this.#writers);
  }
}
