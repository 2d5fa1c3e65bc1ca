/**
 * Receives a file. Its bytes are stored unchanged, and parsed at the same time as UTF-8 or as their mark says, which
 * nearly always fits; only otherwise are they read again.
 *
 *     body ──▶ ….raw (unchanged) ──▶ deleted
 *       └────▶ ….part (rows) ──complete──▶ stored
 *
 * An early end removes both; files of a process that died are removed by the sweep.
 */
import { rm } from "node:fs/promises";
import { AppError } from "#lib/platform/errors";
import { withTimeout } from "#lib/platform/timeouts";
import {
  assertText,
  type Encoding,
  findOldEncoding,
  markedEncoding,
  WrongEncoding,
} from "./encoding.ts";
import { chunksOf, type OpenFile, type TableFile } from "./files.ts";
import { tableError } from "./problems.ts";
import { recordFormatOf, writeRecords } from "./records.ts";
import type { TableRules } from "./row-sink.ts";
import { type NextBytes, type TableSummary, writeTable, writeWhole } from "./table.ts";
import { isArchive, linesOfWorkbook, workbookBytesMax } from "./workbook.ts";

/** A client that sends nothing for this long is disconnected. */
const stalledMs = 30_000;
const retryAfterSeconds = 60;
/** Enough for every known file signature. */
const startBytes = 256;
/** How often the room is checked for a file whose length was not announced. */
const roomEveryBytes = 1_048_576;

export interface ReceivedTable extends TableSummary {
  bytes: number;
}

interface Reception {
  /** In a folder that exists: files with this name and an ending are used meanwhile. */
  path: string;
  /** Takes the file of rows from its path. */
  store: (path: string) => Promise<void>;
  open: OpenFile;
  delimiter: string | undefined;
  /** The length that the client announced; 0: none. */
  declaredBytes: number;
  bytesMax: number;
  rules: TableRules;
  /** Throws when the files of this instance, with those that are being received, are too large. */
  assertRoom: () => Promise<void>;
}

/**
 * Stores a file. Throws when the file is not accepted, and then leaves nothing. From the start, the unchanged file has
 * the announced length, so that every process counts it.
 */
export async function receiveTable(
  body: ReadableStream<Uint8Array>,
  reception: Reception,
): Promise<ReceivedTable> {
  const { path } = reception;
  const paths = { raw: `${path}.raw`, part: `${path}.part` };
  const reader = body.getReader();
  try {
    const received = await receive(reader, paths, reception);
    await reception.store(paths.part);
    return received;
  } catch (error) {
    await rm(paths.part, { force: true });
    throw isDiskFull(error) ? diskFull() : error;
  } finally {
    await rm(paths.raw, { force: true });
    // The rest of a refused file is not read.
    await reader.cancel().catch(() => undefined);
  }
}

interface Paths {
  raw: string;
  part: string;
}

async function receive(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  paths: Paths,
  reception: Reception,
): Promise<ReceivedTable> {
  const { declaredBytes, assertRoom, bytesMax } = reception;
  const raw = await reception.open(paths.raw, "w+");
  const part = await reception.open(paths.part, "w+");
  try {
    if (declaredBytes > 0) await raw.truncate(declaredBytes);
    // After its own length is counted: of two that arrive together, each sees the other.
    await assertRoom();
    let bytes = 0;
    let checkedBytes = declaredBytes;
    const arriving: NextBytes = async () => {
      const chunk = await readChunk(reader);
      bytes += chunk?.length ?? 0;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      if (chunk) await writeWhole(raw, chunk);
      if (bytes - checkedBytes < roomEveryBytes) return chunk;
      checkedBytes = bytes;
      await assertRoom();
      return chunk;
    };
    const start = await readStart(arriving);
    const source: Source = { start, arriving, raw, part, countBytes: () => bytes };
    const table = await storeTable(source, paths, reception);
    return { ...table, bytes };
  } finally {
    await part.sync().catch(() => undefined); // a full disk was reported before
    await part.close();
    await raw.close();
  }
}

/** A file while it arrives. */
interface Source {
  /** Its first bytes. */
  start: Uint8Array;
  /** The bytes after them, which are also stored in `raw`. */
  arriving: NextBytes;
  raw: TableFile;
  part: TableFile;
  countBytes: () => number;
}

async function storeTable(
  source: Source,
  paths: Paths,
  reception: Reception,
): Promise<TableSummary> {
  const { start, part } = source;
  const { rules } = reception;
  if (isArchive(start)) return await storeWorkbook(source, rules);
  assertText(start);
  const format = rules.records && recordFormatOf(start);
  if (!format) return await storeText(source, paths, reception);
  await storeRest(source, reception);
  return await writeRecords(format, source.raw, part, rules);
}

async function storeWorkbook(
  { arriving, raw, part, countBytes }: Source,
  rules: TableRules,
): Promise<TableSummary> {
  while (await arriving()) {
    if (countBytes() > workbookBytesMax) throw workbookTooLarge();
  }
  const lines = linesOfWorkbook(raw, countBytes());
  const next: NextBytes = async () => (await lines.next()).value;
  return await writeTable(next, "utf-8", ",", part, rules);
}

/** Receives what is left, without the length that was only announced. */
async function storeRest(
  { arriving, raw, countBytes }: Source,
  { declaredBytes }: Reception,
): Promise<void> {
  while (await arriving());
  if (countBytes() < declaredBytes) await raw.truncate(countBytes());
}

async function storeText(
  source: Source,
  paths: Paths,
  reception: Reception,
): Promise<TableSummary> {
  const { start, arriving, raw, part } = source;
  const marked = markedEncoding(start);
  let first: Uint8Array | undefined = start;
  const next: NextBytes = async () => {
    const chunk = first ?? (await arriving());
    first = undefined;
    return chunk;
  };
  const { delimiter, rules } = reception;
  const write = (encoding: Encoding) => writeTable(next, encoding, delimiter, part, rules);
  const table = marked ? await write(marked) : await unlessWrong(() => write("utf-8"));
  if (table) return table;
  await storeRest(source, reception);
  await part.truncate(0);
  return await writeAgain(paths.part, raw, await findOldEncoding(chunksOf(raw)), reception);
}

/** Undefined: it is in another encoding. One that the file itself declares must be right. */
async function unlessWrong(write: () => Promise<TableSummary>): Promise<TableSummary | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof WrongEncoding) return undefined;
    throw error;
  }
}

async function writeAgain(
  path: string,
  raw: TableFile,
  encoding: Encoding,
  { open, delimiter, rules }: Reception,
): Promise<TableSummary> {
  const part = await open(path, "w+");
  try {
    const chunks = chunksOf(raw);
    const next: NextBytes = async () => (await chunks.next()).value;
    return await writeTable(next, encoding, delimiter, part, rules);
  } finally {
    await part.close();
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
  return tableError("file_cut", {}, "bad_request");
}

function uploadStopped(): AppError {
  return tableError("file_stalled", { seconds: stalledMs / 1_000 }, "bad_request");
}

function tooLarge(bytesMax: number): AppError {
  return tableError("file_too_large", { megabytes: bytesMax / 1_048_576 });
}

function workbookTooLarge(): AppError {
  return tableError("workbook_too_large", { megabytes: workbookBytesMax / 1_048_576 });
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT";
}

function diskFull(): AppError {
  return tableError("disk_full", {}, "service_unavailable", retryAfterSeconds);
}
