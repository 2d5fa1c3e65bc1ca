/** Caches that grow with what is in them. */

interface BoundedOptions {
  maxSize: number;
  sizeCalculation: () => number;
}

/**
 * Options of an LRUCache with at most this many entries. With `max`, lru-cache reserves 28 bytes for each of them when it
 * is created: 6 MB in front and worker, and 17 MB among the pages, where modules exist several times.
 */
export function atMost(entries: number): BoundedOptions {
  return { maxSize: entries, sizeCalculation: one };
}

function one(): number {
  return 1;
}
