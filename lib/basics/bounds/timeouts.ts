/** Limits the wait for asynchronous work. The work is not stopped: a late result is lost. */

/** A late store is treated as an unavailable one, so the code is that of a connection timeout. */
export class TimeoutError extends Error {
  readonly code = "ETIMEDOUT";
}

/** The result of the work, or an error after the timeout. The timer starts before the work. */
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

/** Noted for the process: the bundle of the pages has copies of these modules. */
const longTimeouts = Symbol.for("fuxi.long-timeouts");

/**
 * This process serves people, who rather wait than see an error, or does jobs, which would start again.
 * Called before anything is connected.
 */
export function allowLongTimeouts(): void {
  Reflect.set(globalThis, longTimeouts, true);
}

export function hasLongTimeouts(): boolean {
  return Reflect.has(globalThis, longTimeouts);
}
