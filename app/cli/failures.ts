/** The exit codes. Programs depend on them, so they never change. */
export const exitCodes = {
  ok: 0,
  refused: 1,
  usage: 2,
  signedOut: 3,
  unreachable: 4,
  partial: 5,
} as const;
export type Exit = keyof typeof exitCodes;

export const exitTexts: Record<Exit, string> = {
  ok: "Success.",
  refused: "The server refused the request. The message says why.",
  usage: "The command isn’t valid.",
  signedOut: "The API key is missing or isn’t valid.",
  unreachable: "The server couldn’t be reached.",
  partial: "Some links or rows were refused. The others were processed.",
};

/** An expected failure, which is reported to the person. Anything else thrown is a bug. */
export class CliFailure extends Error {
  readonly exit: Exit;
  /** The error code of the API, or the name of the exit code. */
  readonly code: string;

  constructor(exit: Exit, message: string, code: string = exit) {
    super(message);
    this.exit = exit;
    this.code = code;
  }
}
