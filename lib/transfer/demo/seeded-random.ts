/** A seeded random generator: the same seed, the same numbers (mulberry32). */

export interface SeededRandom {
  next(): number;
  /** Draws the index of a weight, heavier ones more often. */
  weighted(weights: readonly number[]): number;
  pick<T extends { weight: number }>(choices: readonly [T, ...T[]]): T;
  uuid(): string;
}

export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const weighted = (weights: readonly number[]) => {
    let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
    const at = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    return Math.max(at, 0);
  };
  const word = () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return {
    next,
    weighted,
    pick: (choices) => choices[weighted(choices.map(({ weight }) => weight))] ?? choices[0],
    uuid: () => {
      const [a, b, c, d] = [word(), word(), word(), word()];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  };
}
