/** Long lists, a part at a time. */
import { setImmediate } from "node:timers/promises";

/** Few, so that other work waits only shortly. */
const itemsPerTurn = 50;

/** Cuts a list into slices. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/**
 * Maps items a slice at a time. Between two slices, other requests and responses of the database are handled: earlier
 * rows are being written, and each of their statements would otherwise wait until all of these are ready.
 */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const slice of slicesOf(items, itemsPerTurn)) {
    mapped.push(...slice.map(map));
    await setImmediate();
  }
  return mapped;
}
