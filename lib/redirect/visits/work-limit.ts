/** Limits concurrent work and the length of its queue. */
export class WorkLimit {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  /** Does the work when it is its turn. Undefined: the queue is full, and nothing was done. */
  async pass<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#running < this.#runningMax) this.#running += 1;
    else if (this.#waiting.length >= this.#waitingMax) return undefined;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes to the longest waiting call.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
