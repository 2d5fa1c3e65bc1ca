/** Parses a received file, in a parsing child process. */
import type { AppError } from "#lib/platform/errors";
import { defineParser } from "#lib/platform/parsers";
import {
  assertText,
  type Encoding,
  findOldEncoding,
  markedEncoding,
  startBytes,
  WrongEncoding,
} from "./encoding.ts";
import { chunksOf, openerOf, type TableFile } from "./files.ts";
import { tableError } from "./problems.ts";
import { recordFormatOf, writeRecords } from "./records.ts";
import type { TableRules } from "./row-sink.ts";
import { type TableSummary, writeTable } from "./table.ts";
import { isArchive, linesOfWorkbook } from "./workbook.ts";

/** 250 MB of workbook XML take 10 seconds, a megabyte of CSV with empty lines 200 ms. */
const cpuMsMin = 30_000;
const cpuMsPerMegabyte = 200;
const megabyte = 1_048_576;
const diskRetrySeconds = 60;

interface StoredFile {
  raw: string;
  part: string;
  bytes: number;
  key: Buffer | undefined;
  delimiter: string | undefined;
  rules: TableRules;
}

export const tableParser = defineParser({
  name: "table",
  lane: "long",
  cpuMsMax: ({ bytes }: StoredFile) => cpuMsMin + (bytes / megabyte) * cpuMsPerMegabyte,
  refusal: () => tableError("too_complex"),
  parse: async (file: StoredFile): Promise<TableSummary> => {
    const open = openerOf(file.key);
    const raw = await open(file.raw, "r");
    const part = await open(file.part, "w+");
    try {
      const table = await parseFile(raw, part, file);
      await part.sync();
      return table;
    } catch (error) {
      throw isDiskFull(error) ? diskFull() : error;
    } finally {
      await part.close();
      await raw.close();
    }
  },
});

async function parseFile(
  raw: TableFile,
  part: TableFile,
  { bytes, delimiter, rules }: StoredFile,
): Promise<TableSummary> {
  const start = Buffer.alloc(startBytes);
  const { bytesRead } = await raw.read(start, 0, startBytes, 0);
  const known = start.subarray(0, bytesRead);
  if (isArchive(known)) {
    return await writeTable(nextOf(linesOfWorkbook(raw, bytes)), "utf-8", ",", part, rules);
  }
  assertText(known);
  const format = rules.records && recordFormatOf(known);
  if (format) return await writeRecords(format, raw, part, rules);
  const write = (encoding: Encoding) =>
    writeTable(nextOf(chunksOf(raw)), encoding, delimiter, part, rules);
  const marked = markedEncoding(known);
  if (marked) return await write(marked);
  const table = await unlessWrong(() => write("utf-8"));
  if (table) return table;
  await part.truncate(0);
  return await write(await findOldEncoding(chunksOf(raw)));
}

function nextOf(chunks: AsyncGenerator<Uint8Array, unknown>) {
  return async () => {
    const read = await chunks.next();
    return read.done ? undefined : read.value;
  };
}

/** Undefined: the file has another encoding. (If it declares one, that must be right.) */
async function unlessWrong(write: () => Promise<TableSummary>): Promise<TableSummary | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof WrongEncoding) return undefined;
    throw error;
  }
}

export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT";
}

export function diskFull(): AppError {
  return tableError("disk_full", {}, "service_unavailable", diskRetrySeconds);
}
