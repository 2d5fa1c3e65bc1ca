/**
 * Groups on disk while Redis is unavailable.
 *
 *     record:  length u32 │ crc32 u32 │ payload        (little-endian; one fsync per record)
 *
 * A file belongs to the process in its name. Files of dead processes are adopted by renaming, which
 * succeeds for one process only. A record truncated by a crash fails its checksum and ends the
 * file: its visitors got no response.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { crc32 } from "node:zlib";

const headerBytes = 8;

export class Spool {
  readonly #folder: string;
  readonly #owner: string;
  #file: FileHandle | undefined;
  #path = "";
  #goodBytes = 0;
  #files = 0;
  readonly #records = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(folder: string, incarnation: string) {
    this.#folder = folder;
    this.#owner = `${process.pid}.${incarnation}`;
  }

  /** Records of this process that are not sent yet. */
  get waiting(): number {
    let waiting = 0;
    for (const records of this.#records.values()) waiting += records;
    return waiting;
  }

  async remove(path: string): Promise<void> {
    await unlink(path);
    this.#records.delete(path);
  }

  append(payload: Buffer): Promise<void> {
    return this.#inTurn(() => this.#append(payload));
  }

  /** Closes the file of this process and adopts orphans. Returns all files that wait to be sent. */
  collect(): Promise<string[]> {
    return this.#inTurn(() => this.#collect());
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#file?.close();
      this.#file = undefined;
    });
  }

  /** One at a time, so that no record is written into a file that is being sent. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #append(payload: Buffer): Promise<void> {
    const file = this.#file ?? (await this.#open());
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(payload.length, 0);
    header.writeUInt32LE(crc32(payload), 4);
    try {
      await file.appendFile(Buffer.concat([header, payload]));
      await file.datasync();
      this.#goodBytes += headerBytes + payload.length;
    } catch (error) {
      await this.#dropTail(file);
      throw error;
    }
    this.#records.set(this.#path, (this.#records.get(this.#path) ?? 0) + 1);
  }

  /** A failed write may leave an incomplete record, where reading would end. */
  async #dropTail(file: FileHandle): Promise<void> {
    try {
      await file.truncate(this.#goodBytes);
    } catch {
      // The next record starts a new file.
      this.#file = undefined;
      await file.close().catch(() => undefined);
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true });
    this.#files += 1;
    this.#path = `${this.#folder}/${this.#owner}.${this.#files}.spool`;
    this.#file = await open(this.#path, "a");
    this.#goodBytes = 0;
    return this.#file;
  }

  async #collect(): Promise<string[]> {
    await this.#file?.close();
    this.#file = undefined;
    const names = await readdir(this.#folder).catch(() => []);
    const next: string[] = [];
    for (const name of names.filter((file) => file.endsWith(".spool"))) {
      const path = `${this.#folder}/${name}`;
      if (name.startsWith(`${this.#owner}.`)) next.push(path);
      else if (!isAlive(Number(name.split(".")[0]))) {
        const adopted = await this.#adopt(path);
        if (adopted) next.push(adopted);
      }
    }
    return next;
  }

  async #adopt(path: string): Promise<string | undefined> {
    this.#files += 1;
    const target = `${this.#folder}/${this.#owner}.${this.#files}.spool`;
    try {
      await rename(path, target);
      return target;
    } catch {
      return undefined; // another process was first
    }
  }
}

/** The records of a file, up to the first damaged one. */
export async function readSpool(path: string): Promise<Buffer[]> {
  const bytes = await readFile(path);
  const records: Buffer[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const end = at + headerBytes + bytes.readUInt32LE(at);
    const payload = bytes.subarray(at + headerBytes, end);
    if (end > bytes.length || crc32(payload) !== bytes.readUInt32LE(at + 4)) break;
    records.push(payload);
    at = end;
  }
  return records;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
