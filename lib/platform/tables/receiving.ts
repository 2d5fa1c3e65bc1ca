/**
 * Receives a file. The bytes are stored unchanged, then a parsing child process writes their rows.
 *
 *     body ──▶ ….raw (unchanged) ──parsing.ts──▶ ….part (rows) ──complete──▶ stored
 *
 * An early end removes both files. If the process dies, the sweep removes them.
 */
import { rm } from "node:fs/promises";
import { withTimeout } from "#lib/basics/bounds";
import { AppError } from "#lib/platform/errors";
import type { Sender } from "#lib/platform/parsers";
import { assertText, startBytes } from "./encoding.ts";
import { type OpenFile, openerOf } from "./files.ts";
import { diskFull, isDiskFull, tableParser } from "./parsing.ts";
import { tableError } from "./problems.ts";
import { type TableRules, tooManyRows } from "./row-sink.ts";
import { rowsMax } from "./schema.ts";
import { type TableSummary, writeWhole } from "./table.ts";
import { isArchive, workbookBytesMax, workbookTooLarge } from "./workbook.ts";

const stalledMs = 30_000;
/** Free room is checked this often when the client announced no length. */
const roomEveryBytes = 1_048_576;

export interface ReceivedTable extends TableSummary {
  bytes: number;
}

interface Reception {
  path: string;
  store: (path: string) => Promise<void>;
  key?: Buffer;
  delimiter: string | undefined;
  declaredBytes: number;
  bytesMax: number;
  rules: TableRules;
  hasHeading: (first: readonly string[]) => boolean;
  assertRoom: () => Promise<void>;
  sender: Sender;
}

/** Throws if the file is not accepted. The raw file gets its full length at once, so that others count it. */
export async function receiveTable(
  body: ReadableStream<Uint8Array>,
  reception: Reception,
): Promise<ReceivedTable> {
  const { path, key, delimiter, rules, sender } = reception;
  const paths = { raw: `${path}.raw`, part: `${path}.part` };
  const reader = body.getReader();
  try {
    const bytes = await receive(reader, openerOf(key), paths.raw, reception);
    const table = await tableParser.run({ ...paths, bytes, key, delimiter, rules }, sender);
    assertRows(table, reception);
    await reception.store(paths.part);
    return { ...table, bytes };
  } catch (error) {
    await rm(paths.part, { force: true });
    throw isDiskFull(error) ? diskFull() : error;
  } finally {
    await rm(paths.raw, { force: true });
    await reader.cancel().catch(() => undefined);
  }
}

function assertRows(
  { head: [first], records }: TableSummary,
  { hasHeading, rules: { rowsAllowed = rowsMax } }: Reception,
): void {
  const headings = first && hasHeading(first) ? 1 : 0;
  if (records - headings > rowsAllowed) throw tooManyRows(rowsAllowed);
}

async function receive(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  open: OpenFile,
  path: string,
  { declaredBytes, assertRoom, bytesMax }: Reception,
): Promise<number> {
  const raw = await open(path, "w+");
  try {
    // defence: declared-bytes-count
    if (declaredBytes > 0) await raw.truncate(declaredBytes);
    // Check after this file counts, so that two files that arrive together see each other.
    await assertRoom();
    let bytes = 0;
    let checkedBytes = declaredBytes;
    const arriving = async () => {
      const chunk = await readChunk(reader);
      bytes += chunk?.length ?? 0;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      if (chunk) await writeWhole(raw, chunk);
      if (bytes - checkedBytes < roomEveryBytes) return chunk;
      checkedBytes = bytes;
      await assertRoom();
      return chunk;
    };
    // Compares a few bytes before anything is parsed, which saves the client the rest of the upload.
    const start = await readStart(arriving);
    assertText(start);
    const mayBeWorkbook = isArchive(start);
    while (await arriving()) {
      if (mayBeWorkbook && bytes > workbookBytesMax) throw workbookTooLarge();
    }
    if (bytes < declaredBytes) await raw.truncate(bytes);
    return bytes;
  } finally {
    await raw.close();
  }
}

async function readStart(next: () => Promise<Uint8Array | undefined>): Promise<Uint8Array> {
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
