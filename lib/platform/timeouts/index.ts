/** Work that is waited for only so long. It is not stopped: what it finds later is lost. */

/** A store that is late is one that is away, so the code is that of a connection that timed out. */
export class TimeoutError extends Error {
  readonly code = "ETIMEDOUT";
}

/** The outcome of the work, or an error once the time is over. The clock runs before the work begins. */
export async function withTimeout<T>(
  timeoutMs: number,
  work: () => T | Promise<T>,
  late: () => Error = () => new TimeoutError(`No answer within ${timeoutMs} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
