import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AddBytes,
  FileMissing,
  type FileStore,
  type Patch,
  type ReadableFile,
  type StoredFile,
} from "./store.ts";

const fileMode = 0o600;
const folderMode = 0o700;

export class FolderStore implements FileStore {
  readonly changesInPlace = true;
  readonly #folder: string;
  #written = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async scratch(name: string): Promise<string> {
    const path = this.#pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: folderMode });
    return path;
  }

  async adopt(path: string, name: string): Promise<void> {
    await rename(path, await this.scratch(name));
  }

  async write(name: string, produce: (add: AddBytes) => Promise<void>): Promise<number> {
    const path = await this.scratch(name);
    this.#written += 1;
    const part = `${path}.${process.pid}.${this.#written}.part`;
    const file = await open(part, "w", fileMode);
    let bytes = 0;
    try {
      await produce(async (chunk) => {
        for (let at = 0; at < chunk.length; ) {
          at += (await file.write(chunk, at, chunk.length - at)).bytesWritten;
        }
        bytes += chunk.length;
      });
      await file.sync();
      await rename(part, path);
      return bytes;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  async open(name: string): Promise<ReadableFile> {
    const file = await open(this.#pathOf(name), "r").catch(asMissing(name));
    const { size } = await file.stat();
    return {
      bytes: size,
      read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
      close: () => file.close(),
    };
  }

  async find(name: string): Promise<StoredFile | undefined> {
    const found = await stat(this.#pathOf(name)).catch(unlessMissing);
    return found && { name, bytes: found.size, changedAt: found.mtimeMs };
  }

  async patch(name: string, patches: AsyncIterable<Patch>): Promise<void> {
    const file = await open(this.#pathOf(name), "r+").catch(asMissing(name));
    try {
      for await (const { position, bytes } of patches) {
        for (let at = 0; at < bytes.length; ) {
          at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
        }
      }
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  async *list(folder: string): AsyncGenerator<StoredFile> {
    const names = (await readdir(this.#pathOf(folder)).catch(unlessMissing)) ?? [];
    for (const name of names) {
      const found = await this.find(`${folder}/${name}`);
      if (found) yield found;
    }
  }

  /** Unfinished files have names here, so sweeps find them. */
  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  addressOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function asMissing(name: string): (error: unknown) => never {
  return (error) => {
    throw isMissing(error) ? new FileMissing(name) : error;
  };
}
