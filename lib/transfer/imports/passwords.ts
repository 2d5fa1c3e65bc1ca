/**
 * Passwords of links in a file. They are never shown, and are erased from the stored file once their rows were read.
 *
 *     [2,"https://example.com","secret"]  ──▶  [2,"https://example.com",0]␣␣␣␣␣␣␣
 *
 * The line keeps its length, so that the positions of the other rows stay valid. A row that is read again after it was
 * erased has the mask as its password. The create refuses the mask, so the row never becomes a link without a password.
 */
import { passwordMask } from "#lib/links/fields/schema";
import { files } from "#lib/platform/files";
import { log } from "#lib/platform/log";
import { erasedCell, type StoredRow } from "#lib/platform/tables";
import { type FieldName, fieldOf } from "./fields.ts";
import { fileOf, isMissing, readRows } from "./file.ts";
import { type ImportRow, markErased } from "./store.ts";

type Columns = Pick<ImportRow, "head" | "options"> & { mapping: readonly (FieldName | null)[] };

/** Finds columns by their field or by their heading. */
export function passwordColumns({ mapping, options, head }: Columns): number[] {
  const headings = options.heading ? (head[0] ?? []) : [];
  return mapping.flatMap((field, at) =>
    // defence: password-columns
    field === "password" || fieldOf(headings[at] ?? "") === "password" ? [at] : [],
  );
}

export function maskCells(cells: readonly string[], columns: readonly number[]): string[] {
  return cells.map((cell, at) => (cell !== "" && columns.includes(at) ? passwordMask : cell));
}

/** Masks passwords in the first records. A heading stays unchanged. */
export function maskHead(row: Columns): string[][] {
  const columns = passwordColumns(row);
  return row.head.map((cells, at) =>
    at === 0 && row.options.heading ? cells : maskCells(cells, columns),
  );
}

type ErasedRow = Columns & Pick<ImportRow, "id">;

/**
 * Erases passwords of rows whose links are committed. If this fails, the end of the import repeats
 * it. If each change would write the whole file again, the end erases all of them at once.
 */
export async function eraseRead(row: ErasedRow, from: number, to: number): Promise<void> {
  if (!files().changesInPlace) return;
  try {
    await erasePasswords(row, from, to);
  } catch (error) {
    log.warn({ event: "import.not_erased", id: row.id, error: String(error) });
  }
}

/** Also erases passwords in rows that got no link. If this fails, the sweep repeats it. */
export async function eraseEnded(row: ErasedRow): Promise<void> {
  try {
    await erasePasswords(row, 0, Number.POSITIVE_INFINITY).catch(unlessMissing);
    await markErased(row.id);
  } catch (error) {
    log.warn({ event: "import.not_erased", id: row.id, error: String(error) });
  }
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

async function erasePasswords(row: ErasedRow, from: number, to: number): Promise<void> {
  const columns = passwordColumns(row);
  if (columns.length === 0) return;
  await files().patch(fileOf(row.id), erasedLines(row, columns, from, to));
}

async function* erasedLines(
  row: ErasedRow,
  columns: readonly number[],
  from: number,
  to: number,
): AsyncGenerator<{ position: number; bytes: Buffer }> {
  for await (const { one, start } of dataRows(row, from)) {
    if (one.end > to) return;
    const bytes = erasedLine(one, columns, one.end - start - 1);
    if (bytes) yield { position: start, bytes };
  }
}

/** Yields the rows after a byte, each with the byte where it starts, without the heading. */
async function* dataRows({ id, options }: ErasedRow, from: number) {
  let start = from;
  for await (const rows of readRows(id, from)) {
    for (const one of rows) {
      if (start > 0 || !options.heading) yield { one, start };
      start = one.end;
    }
  }
}

/** The line without its passwords, but with the same length. Undefined if it has none. */
function erasedLine(
  { line, cells }: StoredRow,
  columns: readonly number[],
  length: number,
): Buffer | undefined {
  if (!columns.some((at) => (cells[at] ?? "") !== "")) return undefined;
  const erased = cells.map((cell, at) => (cell !== "" && columns.includes(at) ? erasedCell : cell));
  const bytes = Buffer.alloc(length, " ");
  bytes.write(JSON.stringify([line, ...erased]));
  return bytes;
}
