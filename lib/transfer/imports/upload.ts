/**
 * Receives a file. Its bytes are stored unchanged, and parsed at the same time as UTF-8 or as their mark says, which
 * nearly always fits; only otherwise are they read again.
 *
 *     body ──▶ imp_….raw (unchanged) ──▶ deleted
 *       └────▶ imp_….jsonl.part (rows) ──complete──▶ imp_….jsonl
 *
 * An early end removes both; files of a process that died are removed by the sweep.
 */
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#lib/platform/errors";
import { withTimeout } from "#lib/platform/timeouts";
import {
  assertText,
  type Encoding,
  findOldEncoding,
  markedEncoding,
  WrongEncoding,
} from "./encoding.ts";
import { fileOf, folder, isMissing } from "./file.ts";
import { importError } from "./problems.ts";
import { bytesMax } from "./schema.ts";
import { type NextBytes, type TableSummary, writeTable, writeWhole } from "./table.ts";
import { isArchive, linesOfWorkbook, workbookBytesMax } from "./workbook.ts";

/** A client that sends nothing for this long is disconnected. */
const stalledMs = 30_000;
const retryAfterSeconds = 60;
/** Enough for every known file signature. */
const startBytes = 256;
const readBytes = 65_536;
/** How often the room is checked for a file whose length was not announced. */
const roomEveryBytes = 1_048_576;

export interface UploadedFile extends TableSummary {
  bytes: number;
}

/** Refuses a file whose announced length is too large, before it is sent. */
export function assertBytes(declared: number): void {
  if (declared > bytesMax) throw tooLarge();
}

interface Reception {
  delimiter: string | undefined;
  /** The length that the client announced; 0: none. */
  declaredBytes: number;
  /** Throws when the files of this instance, with those that are being received, are too large. */
  assertRoom: () => Promise<void>;
  /** For tests, which cannot all send 2 GB. */
  bytesAllowed?: number;
}

/**
 * Stores a file under an id. Throws when the file is not accepted, and then leaves nothing. From the start, the unchanged
 * file has the announced length, so that every process counts it.
 */
export async function receiveFile(
  id: string,
  body: ReadableStream<Uint8Array>,
  reception: Reception,
): Promise<UploadedFile> {
  const paths = { raw: `${fileOf(id)}.raw`, part: `${fileOf(id)}.part`, whole: fileOf(id) };
  const reader = body.getReader();
  try {
    await mkdir(folder(), { recursive: true, mode: 0o700 });
    const uploaded = await receive(reader, paths, reception);
    await rename(paths.part, paths.whole);
    return uploaded;
  } catch (error) {
    await rm(paths.part, { force: true });
    throw isDiskFull(error) ? diskFull() : error;
  } finally {
    await rm(paths.raw, { force: true });
    // The rest of a refused file is not read.
    await reader.cancel().catch(() => undefined);
  }
}

/** Total length of the files that are being received, by any process. */
export async function sumReceivingBytes(): Promise<number> {
  const names = await readdir(folder()).catch(asMissing);
  const sizes = (names ?? [])
    .filter((name) => name.endsWith(".raw"))
    .map(async (name) => (await stat(join(folder(), name)).catch(asMissing))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function asMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

interface Paths {
  raw: string;
  part: string;
}

async function receive(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  paths: Paths,
  { delimiter, declaredBytes, assertRoom, bytesAllowed = bytesMax }: Reception,
): Promise<UploadedFile> {
  // Uploads must not be readable for other users of this machine.
  const raw = await open(paths.raw, "w", 0o600);
  const part = await open(paths.part, "w", 0o600);
  try {
    if (declaredBytes > 0) await raw.truncate(declaredBytes);
    // After its own length is counted: of two that arrive together, each sees the other.
    await assertRoom();
    let bytes = 0;
    let checkedBytes = declaredBytes;
    const arriving: NextBytes = async () => {
      const chunk = await readChunk(reader);
      bytes += chunk?.length ?? 0;
      if (bytes > bytesAllowed) throw tooLarge();
      if (chunk) await writeWhole(raw, chunk);
      if (bytes - checkedBytes < roomEveryBytes) return chunk;
      checkedBytes = bytes;
      await assertRoom();
      return chunk;
    };
    const start = await readStart(arriving);
    if (isArchive(start)) {
      while (await arriving()) {
        if (bytes > workbookBytesMax) throw workbookTooLarge();
      }
      const lines = linesOfWorkbook(paths.raw);
      const next: NextBytes = async () => (await lines.next()).value;
      return { ...(await writeTable(next, "utf-8", ",", part)), bytes };
    }
    assertText(start);
    const marked = markedEncoding(start);
    let first: Uint8Array | undefined = start;
    const next: NextBytes = async () => {
      const chunk = first ?? (await arriving());
      first = undefined;
      return chunk;
    };
    const table = await tryTable(next, marked ?? "utf-8", delimiter, part, marked !== undefined);
    if (table) return { ...table, bytes };
    while (await arriving());
    if (bytes < declaredBytes) await raw.truncate(bytes);
    await part.truncate(0);
    const encoding = await findOldEncoding(paths.raw);
    return { ...(await writeAgain(paths, encoding, delimiter)), bytes };
  } finally {
    await part.sync().catch(() => undefined); // a full disk was reported before
    await part.close();
    await raw.close();
  }
}

type OpenFile = Awaited<ReturnType<typeof open>>;

/** Undefined: it is in another encoding. One that the file itself declares must be right. */
async function tryTable(
  next: NextBytes,
  encoding: Encoding,
  delimiter: string | undefined,
  file: OpenFile,
  isMarked: boolean,
): Promise<TableSummary | undefined> {
  try {
    return await writeTable(next, encoding, delimiter, file);
  } catch (error) {
    if (error instanceof WrongEncoding && !isMarked) return undefined;
    throw error;
  }
}

async function writeAgain(
  paths: Paths,
  encoding: Encoding,
  delimiter: string | undefined,
): Promise<TableSummary> {
  const [raw, part] = [await open(paths.raw, "r"), await open(paths.part, "w", 0o600)];
  try {
    const next: NextBytes = async () => {
      const { bytesRead, buffer } = await raw.read(Buffer.alloc(readBytes), 0, readBytes);
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
    };
    return await writeTable(next, encoding, delimiter, part);
  } finally {
    await part.close();
    await raw.close();
  }
}

/** The first bytes, which may arrive one by one. */
async function readStart(next: NextBytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < startBytes) {
    const chunk = await next();
    if (!chunk) break;
    chunks.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(chunks, bytes);
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    return (await withTimeout(stalledMs, () => reader.read(), uploadStopped)).value;
  } catch (error) {
    throw error instanceof AppError ? error : brokenFile();
  }
}

function brokenFile(): AppError {
  return importError("file_cut", {}, "bad_request");
}

function uploadStopped(): AppError {
  return importError("file_stalled", { seconds: stalledMs / 1_000 }, "bad_request");
}

function tooLarge(): AppError {
  return importError("file_too_large", { megabytes: bytesMax / 1_048_576 });
}

function workbookTooLarge(): AppError {
  return importError("workbook_too_large", { megabytes: workbookBytesMax / 1_048_576 });
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT";
}

function diskFull(): AppError {
  return importError("disk_full", {}, "service_unavailable", retryAfterSeconds);
}
