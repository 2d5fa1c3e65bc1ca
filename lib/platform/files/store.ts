/** What a store of files does. */

export interface StoredFile {
  name: string;
  bytes: number;
  /** Milliseconds since 1970. */
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

/** Bytes that replace those at a position. */
export interface Patch {
  position: number;
  bytes: Uint8Array;
}

export interface FileStore {
  /** False: a patch writes the whole file again, so it is worth it only for all patches together. */
  readonly changesInPlace: boolean;
  /** Where a file may be received before it is stored, in a folder of this machine that exists. */
  scratch(name: string): Promise<string>;
  /** Stores a received file, which is gone from its path then. */
  adopt(path: string, name: string): Promise<void>;
  /** Stores what is written, once all of it is. Returns its bytes. */
  write(name: string, produce: (add: AddBytes) => Promise<void>): Promise<number>;
  /** Throws FileMissing. */
  open(name: string): Promise<ReadableFile>;
  find(name: string): Promise<StoredFile | undefined>;
  /** Replaces bytes of a file, in the order of their positions. Its length stays. Throws FileMissing. */
  patch(name: string, patches: AsyncIterable<Patch>): Promise<void>;
  /** Does nothing when there is none. */
  remove(name: string): Promise<void>;
  /** The files of a folder, incomplete ones too where they have names. */
  list(folder: string): AsyncIterable<StoredFile>;
  /** Deletes what was begun before a moment and has no name. */
  removeUnfinished(folder: string, before: number): Promise<void>;
  /** A signed URL for downloading it directly, for a short time. Undefined: it must be sent by this process. */
  addressOf(name: string, savedAs: string, now?: Date): Promise<string | undefined>;
}
