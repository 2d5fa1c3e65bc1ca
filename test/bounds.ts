/**
 * Bounds that hold on an idle machine. `npm run test:long` enforces them. Other runs share their machine and allow
 * several times as much, which still distinguishes a fault from a delay.
 */
const isLong = Boolean(process.env["TEST_LONG"]);

/** Maximum duration in milliseconds. */
export function timeBound(ms: number): number {
  return isLong ? ms : 10 * ms;
}

/** Maximum growth of this process's memory in bytes. */
export function memoryBound(bytes: number): number {
  return isLong ? bytes : 2 * bytes;
}

/** Maximum CPU time in milliseconds. Waiting does not count, but slow machines and shared caches do. */
export function cpuBound(ms: number): number {
  return isLong ? ms : 2 * ms;
}
