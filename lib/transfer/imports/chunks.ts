/** The SQL of chunks: the outcome of rows. */

import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { RowOutcome } from "#lib/links/creating";
import { presentBriefly } from "#lib/links/presenting";
import type { ErrorProblem } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { StoredRow } from "#lib/platform/tables";
import { maskCells, passwordColumns } from "./passwords.ts";
import { rowProblem } from "./problems.ts";
import { bodyOf, type RowReader } from "./rows.ts";
import type { ImportRow } from "./store.ts";

interface Chunk {
  firstRow: number;
  rows: number;
  refused: number;
  /** Created links, without reused ones. */
  madePks: number[];
  outcomes: Buffer;
}

export async function recordChunk(
  tx: Connection,
  id: string,
  chunk: Chunk,
  position: number,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO import_chunk (import_id, first_row, rows, refused, outcomes, made_pks)
    VALUES (
      ${id}, ${chunk.firstRow}, ${chunk.rows}, ${chunk.refused}, ${chunk.outcomes},
      ${chunk.madePks}::bigint[]
    )`);
  await tx.query(sql`
    UPDATE import
    SET position = ${position}, done = done + ${chunk.rows},
      made = made + ${chunk.rows - chunk.refused},
      reused = reused + ${chunk.rows - chunk.refused - chunk.madePks.length},
      refused = refused + ${chunk.refused},
      seen_at = now()
    WHERE id = ${id}`);
}

/** Chunks with a refused row, without their contents. */
export async function listRefusedChunks(
  id: string,
): Promise<Pick<Chunk, "firstRow" | "refused">[]> {
  // Answered by import_chunk_pkey.
  return await query(sql`
    SELECT first_row AS "firstRow", refused
    FROM import_chunk
    WHERE import_id = ${id}
      AND refused > 0
    ORDER BY first_row`);
}

export async function listChunks(
  id: string,
  from: number,
  count: number,
): Promise<Omit<Chunk, "madePks">[]> {
  // Answered by import_chunk_pkey.
  return await query(sql`
    SELECT first_row AS "firstRow", rows, refused, outcomes
    FROM import_chunk
    WHERE import_id = ${id}
      AND first_row >= ${from}
    ORDER BY first_row
    LIMIT ${count}`);
}

/** Pages show this much of a refused row. */
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
