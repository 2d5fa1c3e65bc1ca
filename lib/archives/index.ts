/**
 * A ZIP archive that is sent while it is made. Each file's length and sum follow it, because nobody knows them before:
 *
 *     header │ deflated file │ sum, lengths   …   directory │ end of directory
 *
 * A file of 4 GB or more does not fit; it ends the archive with an error.
 */
import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";

export { type Cell, csvLine, utf8Mark } from "./csv.ts";

type WriteBytes = (bytes: Uint8Array) => Promise<void>;
/** Text becomes UTF-8. */
type WriteContent = (content: string | Uint8Array) => Promise<void>;

interface Entry {
  name: Buffer;
  crc: number;
  deflatedBytes: number;
  bytes: number;
  offset: number;
}

const bytesMax = 0xffff_ffff;
const version = 20;
/** Lengths follow the file; names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
/** 1 January 1980, the first day that there is: the files are older than nothing. */
const date = 0x0021;

export class ZipWriter {
  readonly #send: WriteBytes;
  readonly #entries: Entry[] = [];
  #offset = 0;

  constructor(send: WriteBytes) {
    this.#send = send;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#send(bytes);
  }

  /** Adds the file that `produce` writes. */
  async add(fileName: string, produce: (write: WriteContent) => Promise<void>): Promise<void> {
    const offset = this.#offset;
    const name = Buffer.from(fileName);
    await this.#write(localHeader(name));
    const begin = this.#offset;
    const deflate = createDeflateRaw();
    const sending = this.#sendAll(deflate);
    // Whoever waits for it below throws it; meanwhile it must not count as unhandled.
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
    if (Math.max(bytes, this.#offset) > bytesMax) throw new Error(`${fileName} is too long`);
    await this.#write(descriptor(entry));
    this.#entries.push(entry);
  }

  async #sendAll(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) await this.#write(chunk);
  }

  async end(): Promise<void> {
    const offset = this.#offset;
    for (const entry of this.#entries) await this.#write(directoryEntry(entry));
    await this.#write(directoryEnd(this.#entries.length, offset, this.#offset - offset));
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

function descriptor({ crc, deflatedBytes, bytes }: Entry): Buffer {
  const text = Buffer.alloc(16);
  text.writeUInt32LE(0x0807_4b50, 0);
  text.writeUInt32LE(crc, 4);
  text.writeUInt32LE(deflatedBytes, 8);
  text.writeUInt32LE(bytes, 12);
  return text;
}

function directoryEntry({ name, crc, deflatedBytes, bytes, offset }: Entry): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(deflated, 10);
  entry.writeUInt16LE(date, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(deflatedBytes, 20);
  entry.writeUInt32LE(bytes, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function directoryEnd(entries: number, offset: number, bytes: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
