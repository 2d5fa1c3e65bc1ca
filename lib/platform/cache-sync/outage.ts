/**
 * What the caches of a process know together about a Postgres that does not answer.
 *
 * One question at a time finds out whether it is back; nobody else waits for the outcome. Without this, every visitor of
 * a link whose entry must be checked would wait for the time limit of a question, once for the host and once for the link.
 *
 * States: answering → away (a question failed, or had no answer in time) → answering (a question was answered).
 */
const probeEveryMs = 300;

export class Outage {
  #away: { because: unknown } | undefined;
  #probeAt = 0;
  #probing = false;

  /** Why Postgres cannot be asked now; undefined when it can, also for whoever is to find out whether it is back. */
  refuse(now: number): { because: unknown } | undefined {
    if (!this.#away) return undefined;
    if (this.#probing || now < this.#probeAt) return this.#away;
    this.#probing = true;
    return undefined;
  }

  /** True while the last question had no answer. */
  get isAway(): boolean {
    return this.#away !== undefined;
  }

  failed(because: unknown): void {
    this.#away = { because };
    this.#probing = false;
    this.#probeAt = Date.now() + probeEveryMs;
  }

  answered(): void {
    this.#away = undefined;
    this.#probing = false;
  }
}
