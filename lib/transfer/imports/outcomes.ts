/** The stored outcomes of rows: the link, or the reason why there is none, with what the row has in the file. */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { RowOutcome } from "#lib/links/creating";
import { presentBriefly } from "#lib/links/presenting";
import type { ErrorProblem } from "#lib/platform/errors";
import type { StoredRow } from "#lib/platform/tables";
import type { Chunk } from "./chunks.ts";
import { maskCells, passwordColumns } from "./passwords.ts";
import { rowProblem } from "./problems.ts";
import { bodyOf, type RowReader } from "./rows.ts";
import type { ImportRow } from "./store.ts";

/** Of a refused row: as many cells, and as much of each, as a page shows. */
const keptCells = 8;
const keptCellChars = 200;

const expand = promisify(gunzip);

export type StoredOutcome =
  | [id: string, shortLink: string]
  | [
      code: string,
      message: string,
      refused: 1,
      params?: ErrorProblem["params"],
      line?: number,
      cells?: string[],
    ];

export function storedOutcomeOf(
  row: ImportRow,
  outcome: RowOutcome,
  stored: StoredRow | undefined,
  reader: RowReader,
): StoredOutcome {
  if (outcome.ok) {
    const { id, shortLink } = presentBriefly(outcome.row, outcome.context);
    return [id, shortLink];
  }
  if (!stored) return [outcome.code, outcome.message, 1];
  const { problem } = rowProblem(outcome, bodyOf(stored.cells, reader));
  // defence: skipped-row-passwords-masked
  const cells = maskCells(stored.cells, passwordColumns(row))
    .slice(0, keptCells)
    .map((cell) => cell.slice(0, keptCellChars));
  return [outcome.code, outcome.message, 1, problem.params, stored.line, cells];
}

export async function readOutcomes({
  outcomes,
}: Pick<Chunk, "outcomes">): Promise<StoredOutcome[]> {
  // Sound because `writeBatch` of jobs.ts wrote it.
  return JSON.parse((await expand(outcomes)).toString());
}
