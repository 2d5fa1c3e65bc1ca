/** Why a file cannot be read or written. */
import { AppError } from "#lib/platform/errors";

/** Has the code of a missing file in a folder, so that both are recognized alike. */
export class FileMissing extends Error {
  readonly code = "ENOENT";

  constructor(name: string) {
    super(`There is no file ${name}`);
    this.name = "FileMissing";
  }
}

const retryAfterSeconds = 60;

/** The store does not answer, or refuses because of its settings. Nothing is lost: the same call may succeed later. */
export class FileStoreUnavailable extends AppError {
  constructor() {
    super(
      "service_unavailable",
      "The file store can’t be used at the moment. Try again in a minute, or contact your administrator.",
      { retryAfterSeconds },
    );
    this.name = "FileStoreUnavailable";
  }
}
