/**
 * A ZIP archive that is sent while it is written. Each file's length and checksum follow it:
 *
 *     header │ deflated file │ checksum, lengths   …   directory │ end of directory
 *
 * The directory has ZIP64 fields only from 4 GB or 65,535 files, so that programs without ZIP64
 * read every smaller archive.
 *
 * We do not use yazl: it computes checksums in JavaScript and took a fifth to a half more CPU.
 */
import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";

type WriteBytes = (bytes: Uint8Array) => Promise<void>;
type WriteContent = (content: string | Uint8Array) => Promise<void>;

interface ZipEntry {
  name: Buffer;
  crc: number;
  deflatedBytes: number;
  bytes: number;
  offset: number;
}

const zip64Bytes = 0xffff_ffff;
const zip64Files = 0xffff;
interface Zip64Limits {
  bytes: number;
  files: number;
}
const version = 20;
const zip64Version = 45;
/** Lengths follow the file, and names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
/** 1 January 1980, because files carry no date. */
const date = 0x0021;

export class ZipWriter {
  readonly #send: WriteBytes;
  readonly #zip64From: Zip64Limits;
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  /** `zip64From` is for tests, which cannot write 4 GB. */
  constructor(send: WriteBytes, zip64From: Zip64Limits = { bytes: zip64Bytes, files: zip64Files }) {
    this.#send = send;
    this.#zip64From = zip64From;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#send(bytes);
  }

  async add(fileName: string, produce: (write: WriteContent) => Promise<void>): Promise<void> {
    const offset = this.#offset;
    const name = Buffer.from(fileName);
    await this.#write(localHeader(name));
    const begin = this.#offset;
    const deflate = createDeflateRaw();
    const sending = this.#sendAll(deflate);
    // Awaited below. Until then its error must not count as unhandled.
    sending.catch(() => undefined);
    let [crc, bytes] = [0, 0];
    await produce(async (content) => {
      const chunk = typeof content === "string" ? Buffer.from(content) : content;
      crc = crc32(chunk, crc);
      bytes += chunk.length;
      if (!deflate.write(chunk)) await Promise.race([once(deflate, "drain"), sending]);
    });
    deflate.end();
    await sending;
    const entry = { name, crc, deflatedBytes: this.#offset - begin, bytes, offset };
    const isZip64 = Math.max(bytes, entry.deflatedBytes) >= this.#zip64From.bytes;
    await this.#write(isZip64 ? zip64Descriptor(entry) : descriptor(entry));
    this.#entries.push(entry);
  }

  async #sendAll(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) await this.#write(chunk);
  }

  async end(): Promise<void> {
    const offset = this.#offset;
    for (const entry of this.#entries)
      await this.#write(directoryEntry(entry, this.#zip64From.bytes));
    const directory = {
      files: this.#entries.length,
      offset,
      bytes: this.#offset - offset,
    };
    const isZip64 =
      directory.files >= this.#zip64From.files ||
      Math.max(offset, directory.bytes) >= this.#zip64From.bytes;
    if (isZip64) await this.#write(zip64DirectoryEnd(directory));
    await this.#write(directoryEnd(directory, isZip64));
  }
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(deflated, 8);
  header.writeUInt16LE(date, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ crc, deflatedBytes, bytes }: ZipEntry): Buffer {
  const text = Buffer.alloc(16);
  text.writeUInt32LE(0x0807_4b50, 0);
  text.writeUInt32LE(crc, 4);
  text.writeUInt32LE(deflatedBytes, 8);
  text.writeUInt32LE(bytes, 12);
  return text;
}

function zip64Descriptor({ crc, deflatedBytes, bytes }: ZipEntry): Buffer {
  const text = Buffer.alloc(24);
  text.writeUInt32LE(0x0807_4b50, 0);
  text.writeUInt32LE(crc, 4);
  text.writeBigUInt64LE(BigInt(deflatedBytes), 8);
  text.writeBigUInt64LE(BigInt(bytes), 16);
  return text;
}

function directoryEntry(
  { name, crc, deflatedBytes, bytes, offset }: ZipEntry,
  zip64From: number,
): Buffer {
  const isZip64 = Math.max(bytes, deflatedBytes, offset) >= zip64From;
  const wide = isZip64 ? zip64Field([bytes, deflatedBytes, offset]) : Buffer.alloc(0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(isZip64 ? zip64Version : version, 4);
  entry.writeUInt16LE(isZip64 ? zip64Version : version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(deflated, 10);
  entry.writeUInt16LE(date, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(isZip64 ? zip64Bytes : deflatedBytes, 20);
  entry.writeUInt32LE(isZip64 ? zip64Bytes : bytes, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(wide.length, 30);
  entry.writeUInt32LE(isZip64 ? zip64Bytes : offset, 42);
  return Buffer.concat([entry, name, wide]);
}

function zip64Field(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + numbers.length * 8);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(numbers.length * 8, 2);
  for (const [at, number] of numbers.entries()) {
    field.writeBigUInt64LE(BigInt(number), 4 + at * 8);
  }
  return field;
}

interface Directory {
  files: number;
  offset: number;
  bytes: number;
}

function zip64DirectoryEnd({ files, offset, bytes }: Directory): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(zip64Version, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(files), 24);
  end.writeBigUInt64LE(BigInt(files), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x0706_4b50, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

function directoryEnd({ files, offset, bytes }: Directory, isZip64: boolean): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(isZip64 ? zip64Files : files, 8);
  end.writeUInt16LE(isZip64 ? zip64Files : files, 10);
  end.writeUInt32LE(isZip64 ? zip64Bytes : bytes, 12);
  end.writeUInt32LE(isZip64 ? zip64Bytes : offset, 16);
  return end;
}
