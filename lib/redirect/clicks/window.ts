/** Above this rate, groups of one or two visits would cost more than the visits: a write, a record and a row each. */
const busyPerMs = 1;
const rateOverMs = 100;
const windowMs = 1;
/** With 16, a visit costs less, but answers come later, and fewer visits are answered at most (docs/benchmarks.md). */
export const groupVisits = 6;

/** While many visits arrive, a group stays open until the next tick of one timer. Otherwise, it is written at once. */
export class GroupWindow {
  #isBusy = false;
  #visits = 0;
  #measuredAt = 0;
  #close: (() => void) | undefined;
  readonly #timer = setTimeout(() => this.close(), windowMs);

  /** Whether to wait for more visits before the group is written. `visits` is the number of all visits so far. */
  isOpen(visits: number, group: { size: number; openedAt: number }): boolean {
    const now = performance.now();
    this.#measure(visits, now);
    const isYoung = group.size > 0 && now - group.openedAt < windowMs;
    return this.#isBusy && isYoung && group.size < groupVisits;
  }

  /** Resolves at the next tick, or once `close` is called. */
  closed(): Promise<void> {
    this.#timer.refresh();
    return new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  close(): void {
    this.#close?.();
  }

  #measure(visits: number, now: number): void {
    const ms = now - this.#measuredAt;
    if (ms < rateOverMs) return;
    this.#isBusy = visits - this.#visits > ms * busyPerMs;
    this.#visits = visits;
    this.#measuredAt = now;
  }
}
