/** The stored file of rows, readable from any row on. */
import { chunksOf, type TableFile } from "./files.ts";

export interface StoredRow {
  /** Of the uploaded file, counted from 1. */
  line: number;
  cells: string[];
  /** Byte of the stored file after the row. */
  end: number;
}

/** What a line has instead of a cell that was read and erased. */
export const erasedCell = 0;

const newline = 0x0a;

/** The rows from a byte at which a row starts, in batches. `erased`: the text of erased cells. */
export async function* readStoredRows(
  file: Pick<TableFile, "read">,
  position: number,
  erased = "",
): AsyncGenerator<StoredRow[]> {
  let rest: Buffer = Buffer.alloc(0);
  let start = position;
  for await (const chunk of chunksOf(file, position)) {
    const bytes = Buffer.concat([rest, chunk]);
    const rows: StoredRow[] = [];
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      rows.push(parseRow(bytes.toString("utf8", from, end), start + end + 1, erased));
      from = end + 1;
    }
    rest = bytes.subarray(from);
    start += from;
    if (rows.length > 0) yield rows;
  }
}

function parseRow(text: string, end: number, erased: string): StoredRow {
  // Sound because only `writeTable`, and what erases cells, write it.
  const [line, ...cells]: [number, ...(string | typeof erasedCell)[]] = JSON.parse(text);
  return { line, cells: cells.map((cell) => (cell === erasedCell ? erased : cell)), end };
}
