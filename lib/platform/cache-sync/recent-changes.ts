/** Two generations, each as long as the lag of replicas. When one is full, every entry counts as changed. */
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
    // After twice the age, the young generation is no longer recent either.
    const isLate = now - this.#turnedAt >= 2 * this.#ageMs;
    this.#old = isLate ? new Set() : this.#young;
    this.#young = new Set();
    this.#turnedAt = now;
  }
}
