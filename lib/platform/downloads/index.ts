/** Files that are sent while they are written, so that their size does not affect memory. */

import { AppError } from "#lib/platform/errors";
import { type Cell, csvLine, utf8Mark } from "./csv.ts";
import { type RecordFormat, recordTypes } from "./schema.ts";
import { writeWorkbook } from "./workbook.ts";

export { type Cell, csvLine, utf8Mark, withoutApostrophes } from "./csv.ts";
export { type WorkbookTable, writeWorkbook } from "./workbook.ts";
export { ZipWriter } from "./zip.ts";

interface Records<Row extends object> {
  name: string;
  format: RecordFormat;
  columns: readonly string[];
  cellsOf: (row: Row) => readonly Cell[];
  lineOf?: (row: Row) => object;
  pages: () => AsyncIterable<readonly Row[]>;
}

export function recordsFile<Row extends object>(records: Records<Row>): SentFile {
  const { name, format } = records;
  const send: SentFile["send"] = (write) => {
    if (format === "xlsx") {
      const { columns } = records;
      return writeWorkbook(write, [{ name: "Sheet", columns, pages: cellPages(records) }]);
    }
    return writeLines(records, (text) => write(Buffer.from(text)));
  };
  const type = format === "xlsx" ? recordTypes.xlsx : `${recordTypes[format]}; charset=utf-8`;
  return { name: `${name}.${format}`, type, send };
}

/** For rows that only a callback can read. When the reader stops, the next put rejects. */
export async function* handOver<Page>(
  fill: (put: (page: Page) => Promise<void>) => Promise<void>,
): AsyncGenerator<Page> {
  const { readable, writable } = new TransformStream<Page, Page>();
  const writer = writable.getWriter();
  const filled = fill((page) => writer.write(page)).then(
    () => writer.close(),
    (error: unknown) => writer.abort(error),
  );
  yield* readable;
  await filled;
}

async function* cellPages<Row extends object>({ cellsOf, pages }: Records<Row>) {
  for await (const rows of pages()) yield rows.map(cellsOf);
}

async function writeLines<Row extends object>(
  { format, columns, cellsOf, lineOf, pages }: Records<Row>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const csv = format === "csv";
  if (csv) await write(utf8Mark + csvLine(columns));
  for await (const rows of pages()) {
    const lines = rows.map((row) =>
      csv ? csvLine(cellsOf(row)) : `${JSON.stringify(lineOf?.(row) ?? row)}\n`,
    );
    if (lines.length > 0) await write(lines.join(""));
  }
}

export interface SentFile {
  name: string;
  type: string;
  send: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
}

export const filesAtOnceMax = 4;
const retrySeconds = 30;

let running = 0;

/** Takes one of this process's few slots until the file is sent, or throws a 429. */
export function withExportSlot(file: SentFile): SentFile {
  if (running >= filesAtOnceMax) {
    const message = `Too many exports are running (limit: ${filesAtOnceMax}). Try again in a moment.`;
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: retrySeconds });
  }
  running += 1;
  const send: SentFile["send"] = async (write) => {
    try {
      await file.send(write);
    } finally {
      running -= 1;
    }
  };
  return { ...file, send };
}
