/** A store that is late is one that is away: whoever asked may try again. */
function lateAfter(timeoutMs: number): Error {
  return Object.assign(new Error(`No answer within ${timeoutMs} ms`), { code: "ETIMEDOUT" });
}

/** The promise's outcome, or an error once the time is over. */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateAfter(timeoutMs)), timeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
