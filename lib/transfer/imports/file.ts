/** The stored file of rows, readable from any row on. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { passwordMask } from "#lib/links/fields/schema";
import { config } from "#lib/platform/config";

export interface StoredRow {
  /** Of the uploaded file, counted from 1. */
  line: number;
  cells: string[];
  /** Byte of the stored file after the row. */
  end: number;
}

/** What a line has instead of a password that was read and erased. */
export const erasedCell = 0;

const readBytes = 262_144;
const newline = 0x0a;

export function folder(): string {
  return join(config().FUXI_DATA_DIR, "imports");
}

export function fileOf(id: string): string {
  return join(folder(), `${id}.jsonl`);
}

/** True when a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The rows from a byte at which a row starts, in batches. */
export async function* readRows(id: string, position: number): AsyncGenerator<StoredRow[]> {
  const file = await open(fileOf(id), "r");
  try {
    const buffer = Buffer.allocUnsafe(readBytes);
    let rest: Buffer = Buffer.alloc(0);
    let start = position;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, readBytes, start + rest.length);
      if (bytesRead === 0) return;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const rows: StoredRow[] = [];
      let from = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
        rows.push(parseRow(bytes.toString("utf8", from, end), start + end + 1));
        from = end + 1;
      }
      rest = bytes.subarray(from);
      start += from;
      if (rows.length > 0) yield rows;
    }
  } finally {
    await file.close();
  }
}

function parseRow(text: string, end: number): StoredRow {
  // Sound because `writeTable` or `erasePasswords` wrote it.
  const [line, ...cells]: [number, ...(string | typeof erasedCell)[]] = JSON.parse(text);
  return { line, cells: cells.map((cell) => (cell === erasedCell ? passwordMask : cell)), end };
}
