/** What a process and its parsing children send each other. */
import type { ErrorCode, ErrorProblem } from "#lib/platform/errors";

export interface Task {
  /** Of the parser. */
  name: string;
  input: unknown;
  cpuMsMax: number;
}

export type Answer =
  | { kind: "parsed"; output: unknown }
  /** An AppError, or another error with its stack as the message and without a code. */
  | {
      kind: "failed";
      message: string;
      code?: ErrorCode | undefined;
      retryAfterSeconds?: number | undefined;
      problem?: ErrorProblem | undefined;
    };

/** How watchdog.mjs ends a child: no other part sends these, and none of them writes a core file. */
export const excessSignals: ReadonlySet<NodeJS.Signals> = new Set(["SIGALRM", "SIGUSR2"]);
