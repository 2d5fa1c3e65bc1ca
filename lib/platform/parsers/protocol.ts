/** Messages between a process and its parsing children, and the limits of the children. */
import type { ErrorCode, ErrorProblem } from "#lib/platform/errors";

export interface Task {
  name: string;
  input: unknown;
  cpuMsMax: number;
}

export type Answer =
  | { kind: "parsed"; output: unknown }
  | {
      kind: "failed";
      message: string;
      code?: ErrorCode | undefined;
      retryAfterSeconds?: number | undefined;
      problem?: ErrorProblem | undefined;
    };

/** watchdog.mjs ends a child with these. Nothing else sends them, and they write no core file. */
export const excessSignals: ReadonlySet<NodeJS.Signals> = new Set(["SIGALRM", "SIGUSR2"]);

/** Lanes have their own children, so an image does not wait for a file of a million rows. */
export const lanes = {
  quick: { runningMax: 1, waitingMax: 64, waitingPerGroupMax: 32 },
  long: { runningMax: 1, waitingMax: 128, waitingPerGroupMax: 32 },
};

/** Includes the memory of decoded images outside of the heap. */
export const rssBytesMax = 512 * 1_048_576;
export const heapMegabytesMax = 256;
export const idleMs = 60_000;
/** For a child that gets no CPU time. Its document is not blamed. */
export const wallMsMax = 600_000;
export const checkMs = 10;
