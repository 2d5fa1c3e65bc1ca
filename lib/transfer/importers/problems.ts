/** Codes and English messages. Message files have the same codes under `importers.said`. */
import { AppError, type ErrorCode, type ErrorProblem } from "#lib/platform/errors";
import { fillMessage } from "#lib/platform/tables";

export const messages = {
  token_refused:
    "{system} refused the token. It may be wrong, expired, or not allowed to read links. Create a new one there and start again.",
  address_wrong: "{system} wasn’t found at this URL. Check the URL, and that its API is turned on.",
  address_refused: "This URL can’t be used. Enter the public URL of your server.",
  unreachable: "{system} can’t be reached.",
  unavailable: "{system} returned an error (status {status}).",
  rate_limited: "{system} limits the number of requests.",
  page_unreadable: "A response of {system} couldn’t be read.",
  answer_unexpected:
    "{system} returned an unexpected response (status {status}). Export your links there as a CSV file and upload it instead.",
  nothing_found: "There are no links that this token can read.",
  too_many_links:
    "There are more than {max} links. Export them there as CSV files and upload those instead.",
  too_slow:
    "{system} would have taken more than {days} days. Export your links there as a CSV file and upload it instead.",
  interrupted: "Reading stopped unexpectedly several times. Start again.",
  starter_gone: "The person who started this left the workspace or can no longer create links.",
  too_many_importers:
    "This workspace already reads from {max} systems. Wait until one is finished, or cancel it.",
} as const;
export type ProblemCode = keyof typeof messages;

export interface Problem {
  message: string;
  problem: ErrorProblem;
}

export function problemOf(code: ProblemCode, params: ErrorProblem["params"] = {}): Problem {
  return { message: fillMessage(messages[code], params), problem: { code, params } };
}

export function importerError(
  code: ProblemCode,
  params: ErrorProblem["params"] = {},
  kind: ErrorCode = "unprocessable_entity",
): AppError {
  return new AppError(kind, problemOf(code, params).message, { problem: code, params });
}

/** Trying again would not help. */
export class Stopped extends Error {
  readonly why: Problem;

  constructor(why: Problem) {
    super(why.message);
    this.why = why;
  }
}

/** Trying again may help. */
export class Paused extends Error {
  readonly why: Problem;
  /** Undefined if the other system did not say how long to wait. Pauses then get longer each time. */
  readonly seconds: number | undefined;

  constructor(why: Problem, seconds?: number) {
    super(why.message);
    this.why = why;
    this.seconds = seconds;
  }
}
