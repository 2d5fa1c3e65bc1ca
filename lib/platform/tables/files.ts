/** Plain or encrypted files, for receiving and reading a table. */
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";
import { openSealed } from "./sealed-file.ts";

export interface TableFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position?: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type OpenFile = (path: string, flags: "r" | "w+") => Promise<TableFile>;

export type TableReader = Pick<TableFile, "read" | "close">;

const mode = 0o600;

const openPlain: OpenFile = (path, flags) => open(path, flags, mode);

export function openerOf(key: Buffer | undefined): OpenFile {
  return key ? openSealed(key) : openPlain;
}

const readBytes = 262_144;

export async function* chunksOf(
  file: Pick<TableFile, "read">,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const wanted = Math.min(readBytes, to - at);
    const buffer = Buffer.alloc(wanted);
    const { bytesRead } = await file.read(buffer, 0, wanted, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

export class ArchiveReader extends RandomAccessReader {
  readonly #file: Pick<TableFile, "read">;

  constructor(file: Pick<TableFile, "read">) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#file, start, end), { objectMode: false });
  }
}
