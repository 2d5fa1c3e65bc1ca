/** Transferred in blocks, so that a reader that takes hours holds no connection. */
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hourMs } from "#lib/basics/time/schema";
import { blockBytes, elementsOf, S3Requests, type S3Settings, textIn } from "./s3-requests.ts";
import {
  type AddBytes,
  FileMissing,
  type FileStore,
  type Patch,
  type ReadableFile,
  type StoredFile,
} from "./store.ts";

/** The maximum that every store accepts. */
const partsMax = 10_000;
/** The store may assemble the parts before it answers. */
const completeTimeoutMs = 120_000;
/** After this, files of processes that died while receiving are removed. */
const scratchMs = 6 * hourMs;
const folderMode = 0o700;
const missing = "NoSuchKey";
const noUpload = "NoSuchUpload";
const noRange = "InvalidRange"; // an empty file

export class S3Store implements FileStore {
  readonly changesInPlace = false;
  readonly #requests: S3Requests;
  readonly #scratch: string;

  constructor(settings: S3Settings, scratchFolder: string) {
    this.#requests = new S3Requests(settings);
    this.#scratch = scratchFolder;
  }

  async scratch(name: string): Promise<string> {
    const path = join(this.#scratch, name);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: folderMode });
    for (const left of await readdir(folder)) {
      const found = await stat(join(folder, left)).catch(() => undefined);
      const isOld = found && Date.now() - found.mtimeMs > scratchMs;
      if (isOld) await rm(join(folder, left), { force: true });
    }
    return path;
  }

  async adopt(path: string, name: string): Promise<void> {
    const file = await open(path, "r");
    try {
      await this.write(name, async (add) => {
        for await (const chunk of file.createReadStream({ autoClose: false })) await add(chunk);
      });
    } finally {
      await file.close();
    }
    await rm(path, { force: true });
  }

  async write(name: string, produce: (add: AddBytes) => Promise<void>): Promise<number> {
    const upload = new Upload(this.#requests, name);
    try {
      await produce((chunk) => upload.add(chunk));
      return await upload.end();
    } catch (error) {
      await upload.abort();
      throw error;
    }
  }

  async open(name: string): Promise<ReadableFile> {
    const found = await this.find(name);
    if (!found) throw new FileMissing(name);
    return new BlockReader(this.#requests, name, found.bytes);
  }

  async find(name: string): Promise<StoredFile | undefined> {
    const headers = { Range: "bytes=0-0" };
    const request = { method: "GET", name, headers } as const;
    // Only the body distinguishes a missing file from a missing bucket, and HEAD has no body.
    const { code, headers: found } = await this.#requests.send(request, missing, noRange);
    if (code === missing) return undefined;
    const [, length = "0"] = /\/(\d+)$/.exec(found.get("content-range") ?? "") ?? [];
    const changedAt = Date.parse(found.get("last-modified") ?? "") || Date.now();
    return { name, bytes: Number(length), changedAt };
  }

  async patch(name: string, patches: AsyncIterable<Patch>): Promise<void> {
    const file = await this.open(name);
    const waiting = patches[Symbol.asyncIterator]();
    let next = await waiting.next();
    if (next.done) return;
    await this.write(name, async (add) => {
      for (let start = 0; start < file.bytes; start += blockBytes) {
        const block = Buffer.alloc(Math.min(blockBytes, file.bytes - start));
        await file.read(block, 0, block.length, start);
        while (!next.done && next.value.position < start + block.length) {
          const { position, bytes } = next.value;
          // Bytes beyond this block stay for the next one.
          const fits = Math.min(bytes.length, start + block.length - position);
          block.set(bytes.subarray(0, fits), position - start);
          next =
            fits < bytes.length
              ? { done: false, value: { position: position + fits, bytes: bytes.subarray(fits) } }
              : await waiting.next();
        }
        await add(block);
      }
    });
  }

  async remove(name: string): Promise<void> {
    await this.#requests.send({ method: "DELETE", name }, missing);
  }

  async *list(folder: string): AsyncGenerator<StoredFile> {
    let token = "";
    do {
      const query = {
        "list-type": "2",
        prefix: `${folder}/`,
        ...(token === "" ? {} : { "continuation-token": token }),
      };
      const { body } = await this.#requests.send({ method: "GET", name: "", query });
      const text = body.toString("utf8");
      for (const one of elementsOf(text, "Contents")) {
        const changedAt = Date.parse(textIn(one, "LastModified"));
        yield { name: textIn(one, "Key"), bytes: Number(textIn(one, "Size")), changedAt };
      }
      token = textIn(text, "NextContinuationToken");
    } while (token !== "");
  }

  async removeUnfinished(folder: string, before: number): Promise<void> {
    const query = { uploads: "", prefix: `${folder}/` };
    const { body } = await this.#requests.send({ method: "GET", name: "", query });
    for (const one of elementsOf(body.toString("utf8"), "Upload")) {
      if (Date.parse(textIn(one, "Initiated")) >= before) continue;
      const uploadId = textIn(one, "UploadId");
      const request = { method: "DELETE", name: textIn(one, "Key"), query: { uploadId } } as const;
      await this.#requests.send(request, noUpload);
    }
  }

  addressOf(name: string, savedAs: string, now = new Date()): Promise<string | undefined> {
    return this.#requests.sign(name, basename(savedAs), now);
  }
}

/** Keeps the last block, because readers go forward in smaller steps. */
class BlockReader implements ReadableFile {
  readonly bytes: number;
  readonly #requests: S3Requests;
  readonly #name: string;
  #block: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(requests: S3Requests, name: string, bytes: number) {
    this.#requests = requests;
    this.#name = name;
    this.bytes = bytes;
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number) {
    const isHeld = position >= this.#start && position < this.#start + this.#block.length;
    if (!isHeld) await this.#load(position);
    const from = position - this.#start;
    const part = this.#block.subarray(from, from + length);
    buffer.set(part, offset);
    return { bytesRead: part.length };
  }

  close(): Promise<void> {
    this.#block = Buffer.alloc(0);
    return Promise.resolve();
  }

  async #load(position: number): Promise<void> {
    this.#start = position;
    this.#block = Buffer.alloc(0);
    if (position >= this.bytes) return;
    const end = Math.min(position + blockBytes, this.bytes) - 1;
    const headers = { Range: `bytes=${position}-${end}` };
    const name = this.#name;
    const response = await this.#requests.send({ method: "GET", name, headers }, missing);
    if (response.code === missing) throw new FileMissing(name);
    this.#block = response.body;
  }
}

class Upload {
  readonly #requests: S3Requests;
  readonly #name: string;
  #id = "";
  #tags: string[] = [];
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #sentBytes = 0;

  constructor(requests: S3Requests, name: string) {
    this.#requests = requests;
    this.#name = name;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const fits = chunk.subarray(at, at + blockBytes - this.#waitingBytes);
      // The caller may use its buffer again.
      this.#chunks.push(Uint8Array.from(fits));
      this.#waitingBytes += fits.length;
      at += fits.length;
      if (this.#waitingBytes === blockBytes) await this.#sendPart();
    }
  }

  async end(): Promise<number> {
    if (this.#id === "") {
      const body = this.#takeWaiting();
      await this.#requests.send({ method: "PUT", name: this.#name, body });
      return body.length;
    }
    if (this.#waitingBytes > 0) await this.#sendPart();
    await this.#complete();
    return this.#sentBytes;
  }

  /** The sweep removes parts that stay because the store does not answer. */
  async abort(): Promise<void> {
    if (this.#id === "") return;
    const query = { uploadId: this.#id };
    await this.#requests
      .send({ method: "DELETE", name: this.#name, query }, noUpload)
      .catch(() => undefined);
  }

  async #sendPart(): Promise<void> {
    if (this.#id === "") {
      const request = { method: "POST", name: this.#name, query: { uploads: "" } } as const;
      const { body } = await this.#requests.send(request);
      this.#id = textIn(body.toString("utf8"), "UploadId");
    }
    const number = this.#tags.length + 1;
    if (number > partsMax) throw new Error(`A file may have ${partsMax} parts`);
    const body = this.#takeWaiting();
    const query = { partNumber: String(number), uploadId: this.#id };
    const response = await this.#requests.send({ method: "PUT", name: this.#name, query, body });
    this.#tags.push(response.headers.get("etag") ?? "");
    this.#sentBytes += body.length;
  }

  async #complete(): Promise<void> {
    const parts = this.#tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = Buffer.from(
      `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`,
    );
    const { code } = await this.#requests.send(
      {
        method: "POST",
        name: this.#name,
        query: { uploadId: this.#id },
        body,
        timeoutMs: completeTimeoutMs,
      },
      noUpload,
    );
    // The response to an earlier attempt was lost, so the file must be there.
    if (code === noUpload) await this.#assertStored();
  }

  async #assertStored(): Promise<void> {
    const headers = { Range: "bytes=0-0" };
    const { headers: found } = await this.#requests.send({
      method: "GET",
      name: this.#name,
      headers,
    });
    if (found.get("content-range")?.endsWith(`/${this.#sentBytes}`)) return;
    throw new Error(`The upload of ${this.#name} was ended by someone else`);
  }

  #takeWaiting(): Buffer<ArrayBuffer> {
    const body = Buffer.concat(this.#chunks, this.#waitingBytes);
    this.#chunks = [];
    this.#waitingBytes = 0;
    return body;
  }
}
