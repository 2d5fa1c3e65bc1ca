/** The SQL of chunks: the outcome of rows. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface Chunk {
  firstRow: number;
  rows: number;
  refused: number;
  /** Links that did not exist before. */
  madePks: number[];
  outcomes: Buffer;
}

/** Stores the outcome of a chunk, and the position of the next one. */
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
      made = made + ${chunk.rows - chunk.refused}, refused = refused + ${chunk.refused},
      seen_at = now()
    WHERE id = ${id}`);
}

/** The chunks with a refused row, without their contents. */
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

/** The chunks of an import from a row on. */
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
