/**
 * Remembers that Postgres does not answer. One query at a time probes it; otherwise every visit
 * whose entries must be checked would wait for two query timeouts.
 */
const probeEveryMs = 300;

export class Outage {
  #away: { because: unknown } | undefined;
  #failedAt = 0;
  #probing = false;

  /** Returns the error to refuse a query with. Undefined: Postgres answers, or this query may probe it. */
  refuse(now: number): { because: unknown } | undefined {
    if (!this.#away) return undefined;
    // With `abs`, a clock that was set back does not delay the probe.
    if (this.#probing || Math.abs(now - this.#failedAt) < probeEveryMs) return this.#away;
    this.#probing = true;
    return undefined;
  }

  get isAway(): boolean {
    return this.#away !== undefined;
  }

  failed(because: unknown): void {
    this.#away = { because };
    this.#probing = false;
    this.#failedAt = Date.now();
  }

  answered(): void {
    this.#away = undefined;
    this.#probing = false;
  }
}
