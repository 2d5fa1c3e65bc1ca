/**
 * A file that is encrypted on disk and readable from any position: AES-256 in counter mode with a
 * random start per writing.
 *
 *     start of the counter (16) │ contents
 *
 * There is no tag, because workers read from the middle. Anyone who can change the data folder can
 * change what is sent anyway.
 */
import { createCipheriv, randomBytes } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { OpenFile, TableFile, TableReader } from "./files.ts";

const headBytes = 16;
const blockBytes = 16;
const counterBits = 128;
const mode = 0o600;

export function openSealed(key: Buffer): OpenFile {
  return async (path, flags) => {
    const handle = await open(path, flags, mode);
    try {
      const start = flags === "r" ? await readStart(handle) : await writeStart(handle);
      return new SealedFile(handle, key, start);
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
}

export async function readSealed(key: Buffer, file: TableReader): Promise<TableReader> {
  const applied = counterMode(key, await readStart(file));
  return {
    async read(buffer, offset, length, position) {
      const { bytesRead } = await file.read(buffer, offset, length, headBytes + position);
      const read = buffer.subarray(offset, offset + bytesRead);
      read.set(applied(read, position));
      return { bytesRead };
    },
    close: () => file.close(),
  };
}

async function writeStart(handle: FileHandle): Promise<Buffer> {
  const start = randomBytes(headBytes);
  await handle.write(start, 0, headBytes, 0);
  return start;
}

async function readStart(file: Pick<TableReader, "read">): Promise<Buffer> {
  const start = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(start, 0, headBytes, 0);
  if (bytesRead < headBytes) throw new Error("An encrypted file has no beginning");
  return start;
}

class SealedFile implements TableFile {
  readonly #handle: FileHandle;
  readonly #apply: (bytes: Uint8Array, position: number) => Buffer;
  #end = 0;

  constructor(handle: FileHandle, key: Buffer, start: Buffer) {
    this.#handle = handle;
    this.#apply = counterMode(key, start);
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number) {
    const { bytesRead } = await this.#handle.read(buffer, offset, length, headBytes + position);
    const read = buffer.subarray(offset, offset + bytesRead);
    read.set(this.#apply(read, position));
    return { bytesRead };
  }

  async write(bytes: Uint8Array, offset: number, length: number, position = this.#end) {
    const sealed = this.#apply(bytes.subarray(offset, offset + length), position);
    const { bytesWritten } = await this.#handle.write(sealed, 0, length, headBytes + position);
    this.#end = position + bytesWritten;
    return { bytesWritten };
  }

  truncate(length: number): Promise<void> {
    return this.#handle.truncate(headBytes + length);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Encrypting and decrypting are the same in this mode. */
function counterMode(key: Buffer, start: Buffer): (bytes: Uint8Array, position: number) => Buffer {
  const first = BigInt(`0x${start.toString("hex")}`);
  return (bytes, position) => {
    const block = first + BigInt(Math.floor(position / blockBytes));
    const counter = BigInt.asUintN(counterBits, block)
      .toString(16)
      .padStart(2 * headBytes, "0");
    const cipher = createCipheriv("aes-256-ctr", key, Buffer.from(counter, "hex"));
    cipher.update(Buffer.alloc(position % blockBytes));
    // defence: recipients-encrypted-on-disk
    return cipher.update(bytes);
  };
}
