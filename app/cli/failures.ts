/** Why the program ends, as its exit code. Programs that call it decide by these, so they never change. */
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
  ok: "Everything was done.",
  refused: "The server refused the request; the message says why.",
  usage: "The command was not written correctly.",
  signedOut: "There is no API key, or it is not valid.",
  unreachable: "The server could not be reached.",
  partial: "Some links or rows were refused, the others were done.",
};

/** An outcome that the caller is told about. Anything else that is thrown is a fault of this program. */
export class CliFailure extends Error {
  readonly exit: Exit;
  /** The code of the API, or the name of the exit. */
  readonly code: string;

  constructor(exit: Exit, message: string, code: string = exit) {
    super(message);
    this.exit = exit;
    this.code = code;
  }
}
