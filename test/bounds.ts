/**
 * Bounds that hold on a quiet machine. `npm run test:long` insists on them. Other runs share their machine and allow
 * several times as much, which still tells a fault from a delay.
 */
const isLong = Boolean(process.env["TEST_LONG"]);

/** Milliseconds that something may take. */
export function timeBound(ms: number): number {
  return isLong ? ms : 10 * ms;
}

/** Bytes that the memory of this process may grow by. */
export function memoryBound(bytes: number): number {
  return isLong ? bytes : 2 * bytes;
}
