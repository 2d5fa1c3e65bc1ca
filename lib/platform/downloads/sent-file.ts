/** A file that is sent while it is written, so that its length does not affect memory. */
import { AppError } from "#lib/platform/errors";

export interface SentFile {
  name: string;
  type: string;
  /** Writes all of it; `write` resolves when the client can take more. Called once. */
  send: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
}

/** Per process. */
export const filesAtOnceMax = 4;
const retrySeconds = 30;

let running = 0;

/** Takes one of the few slots until the file is sent, or throws a 429. */
export function withExportSlot(file: SentFile): SentFile {
  if (running >= filesAtOnceMax) {
    const message = `Too many exports are running (limit: ${filesAtOnceMax}). Try again in a moment.`;
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: retrySeconds });
  }
  running += 1;
  const send: SentFile["send"] = async (write) => {
    try {
      await file.send(write);
    } finally {
      running -= 1;
    }
  };
  return { ...file, send };
}
