import { AppError } from "#lib/platform/errors";
export interface StoredFile {
  name: string;
  bytes: number;
  changedAt: number;
}

export interface ReadableFile {
  readonly bytes: number;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

export type AddBytes = (bytes: Uint8Array) => Promise<void>;

export interface Patch {
  position: number;
  bytes: Uint8Array;
}

export interface FileStore {
  /** False: a patch rewrites the whole file, so callers collect patches. */
  readonly changesInPlace: boolean;
  scratch(name: string): Promise<string>;
  adopt(path: string, name: string): Promise<void>;
  write(name: string, produce: (add: AddBytes) => Promise<void>): Promise<number>;
  open(name: string): Promise<ReadableFile>; // throws FileMissing
  find(name: string): Promise<StoredFile | undefined>;
  /** Replaces bytes in the order of their positions. Throws FileMissing. */
  patch(name: string, patches: AsyncIterable<Patch>): Promise<void>;
  remove(name: string): Promise<void>;
  list(folder: string): AsyncIterable<StoredFile>;
  removeUnfinished(folder: string, before: number): Promise<void>;
  /** A signed URL for a direct download. Undefined: this process must send the file. */
  addressOf(name: string, savedAs: string, now?: Date): Promise<string | undefined>;
}

/** Has the error code of a missing file in a folder, so that both are recognized alike. */
export class FileMissing extends Error {
  readonly code = "ENOENT";

  constructor(name: string) {
    super(`There is no file ${name}`);
    this.name = "FileMissing";
  }
}

const retryAfterSeconds = 60;

/** The store does not answer or refuses. The same call may succeed later. */
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
