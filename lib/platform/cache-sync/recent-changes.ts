/**
 * Entries that were invalidated lately: a replica may not have their change yet. Two generations, each as long as the
 * bound of replicas; with more changes than fit, every entry counts as changed.
 */
const changesMax = 200_000;

export class RecentChanges {
  readonly #ageMs: number;
  #young = new Set<string>();
  #old = new Set<string>();
  #turnedAt = Number.NEGATIVE_INFINITY;

  constructor(ageMs: number) {
    this.#ageMs = ageMs;
  }

  add(entry: string, now: number): void {
    this.#turn(now);
    if (this.#young.size < changesMax) this.#young.add(entry);
  }

  /** True for at least `ageMs` after the entry was added, and for less than twice as long. */
  has(entry: string, now: number): boolean {
    this.#turn(now);
    return [this.#young, this.#old].some((set) => set.size >= changesMax || set.has(entry));
  }

  #turn(now: number): void {
    if (now - this.#turnedAt < this.#ageMs) return;
    // Nothing of a generation that ended longer ago than it lasted is recent.
    const isLate = now - this.#turnedAt >= 2 * this.#ageMs;
    this.#old = isLate ? new Set() : this.#young;
    this.#young = new Set();
    this.#turnedAt = now;
  }
}
