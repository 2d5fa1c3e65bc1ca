import { setImmediate } from "node:timers/promises";
import { slicesOf } from "#lib/links/creating";

/** Rows of one turn of the event loop: a few milliseconds of encrypting and counting parts. */
const rowsPerTurn = 50;

/** Like flatMap, while other requests of the process are answered in between. */
export async function inTurns<T, R>(items: readonly T[], map: (item: T) => R[]): Promise<R[]> {
  const mapped: R[] = [];
  for (const slice of slicesOf(items, rowsPerTurn)) {
    mapped.push(...slice.flatMap(map));
    await setImmediate();
  }
  return mapped;
}
