export { FairQueue, type QueueOwner } from "./fair-queue.ts";

/** Limits an LRUCache without `max`, which would reserve 28 bytes per entry at once, 23 MB in total. */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** Has the code of a connection timeout, because a store that answers late counts as unavailable. */
export class TimeoutError extends Error {
  readonly code = "ETIMEDOUT";
}

/** Does not stop late work, but ignores its result. The timer starts before the work. */
export async function withTimeout<T>(
  timeoutMs: number,
  work: () => T | Promise<T>,
  timeoutError: () => Error = () => new TimeoutError(`No answer within ${timeoutMs} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError()), timeoutMs);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Global, because the bundle of the pages has its own copies of modules. */
const longTimeouts = Symbol.for("fuxi.long-timeouts");

/** For processes that would rather wait than fail. Called before anything connects. */
export function allowLongTimeouts(): void {
  Reflect.set(globalThis, longTimeouts, true);
}

export function hasLongTimeouts(): boolean {
  return Reflect.has(globalThis, longTimeouts);
}
