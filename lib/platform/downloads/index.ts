/** Files that are sent while they are written, so that their length does not affect memory. */
import { type Cell, csvLine, utf8Mark } from "./csv.ts";
import { type RecordFormat, recordTypes } from "./schema.ts";
import type { SentFile } from "./sent-file.ts";
import { writeWorkbook } from "./workbook.ts";

export { type Cell, csvLine, utf8Mark, withoutApostrophes } from "./csv.ts";
export { filesAtOnceMax, type SentFile, withExportSlot } from "./sent-file.ts";
export { type WorkbookTable, writeWorkbook } from "./workbook.ts";
export { ZipWriter } from "./zip.ts";

interface Records<Row extends object> {
  /** Of the file, without its ending. */
  name: string;
  format: RecordFormat;
  columns: readonly string[];
  cellsOf: (row: Row) => readonly Cell[];
  /** What a line of JSON has, if not all of the row. */
  lineOf?: (row: Row) => object;
  pages: () => AsyncIterable<readonly Row[]>;
}

/** Records in the format that was asked for, one page of them in memory at a time. */
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

/**
 * The pages that a callback puts, one at a time: for rows that can only be read within a callback, such as those of a
 * cursor. When the reader stops, the next put rejects, and so does the callback.
 */
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
