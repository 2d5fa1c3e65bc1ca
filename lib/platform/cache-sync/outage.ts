/**
 * The shared state of a process's caches about a Postgres that does not answer.
 *
 * One query at a time probes whether it is back; no other lookup waits for it. Without this, every visit of a link
 * whose entry must be checked would wait for the timeout of a query, once for the host and once for the link.
 *
 * States: answering → away (a query failed or timed out) → answering (a query was answered).
 */
const probeEveryMs = 300;

export class Outage {
  #away: { because: unknown } | undefined;
  #failedAt = 0;
  #probing = false;

  /** Why Postgres cannot be queried now; undefined when it can, and for the query that probes it. */
  refuse(now: number): { because: unknown } | undefined {
    if (!this.#away) return undefined;
    // A clock that was set back delays no probe.
    if (this.#probing || Math.abs(now - this.#failedAt) < probeEveryMs) return this.#away;
    this.#probing = true;
    return undefined;
  }

  /** True while the last query was not answered. */
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
