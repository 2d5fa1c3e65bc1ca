/** The SQL of import workers: leases, and the outcome of each chunk of rows. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { columns, type ImportRow } from "./store.ts";

/** Takes an import that waits, or whose worker stopped reporting; each attempt has a number. */
export async function takeRow(id: string, silentSeconds: number): Promise<ImportRow | undefined> {
  const [row] = await query<ImportRow>({
    // Answered by import_pkey.
    text: `
      UPDATE import
      SET state = 'running', attempts = attempts + 1, seen_at = now()
      WHERE id = $1
        AND (
          state = 'waiting'
          OR (state = 'running' AND seen_at < now() - $2 * interval '1 second')
        )
      RETURNING ${columns}`,
    values: [id, silentSeconds],
  });
  return row;
}

/** False: it was cancelled, or another worker has taken it since. */
export async function lockLeased(tx: Connection, id: string, attempt: number): Promise<boolean> {
  const rows = await query(
    sql`
      SELECT 1
      FROM import
      WHERE id = ${id}
        AND state = 'running'
        AND attempts = ${attempt}
      FOR NO KEY UPDATE`,
    tx,
  );
  return rows.length === 1;
}

/** Renews the lease. */
export async function reportAlive(id: string, attempt: number): Promise<void> {
  await query(sql`
    UPDATE import
    SET seen_at = now()
    WHERE id = ${id}
      AND state = 'running'
      AND attempts = ${attempt}`);
}

/** Returns it, to be taken again at once. */
export async function releaseRow(id: string, attempt: number): Promise<void> {
  await query(sql`
    UPDATE import
    SET state = 'waiting', seen_at = now()
    WHERE id = ${id}
      AND state = 'running'
      AND attempts = ${attempt}`);
}

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
  await query(
    sql`
      INSERT INTO import_chunk (import_id, first_row, rows, refused, outcomes, made_pks)
      VALUES (
        ${id}, ${chunk.firstRow}, ${chunk.rows}, ${chunk.refused}, ${chunk.outcomes},
        ${chunk.madePks}::bigint[]
      )`,
    tx,
  );
  await query(
    sql`
      UPDATE import
      SET position = ${position}, done = done + ${chunk.rows},
        made = made + ${chunk.rows - chunk.refused}, refused = refused + ${chunk.refused},
        seen_at = now()
      WHERE id = ${id}`,
    tx,
  );
}

/** The chunks with a refused row, without their contents. */
export async function listRefusedChunks(
  id: string,
): Promise<Pick<Chunk, "firstRow" | "refused">[]> {
  return await query(
    // Answered by import_chunk_pkey.
    sql`
      SELECT first_row AS "firstRow", refused
      FROM import_chunk
      WHERE import_id = ${id}
        AND refused > 0
      ORDER BY first_row`,
  );
}

/** The chunks of an import from a row on. */
export async function listChunks(
  id: string,
  from: number,
  count: number,
): Promise<Omit<Chunk, "madePks">[]> {
  return await query(
    // Answered by import_chunk_pkey.
    sql`
      SELECT first_row AS "firstRow", rows, refused, outcomes
      FROM import_chunk
      WHERE import_id = ${id}
        AND first_row >= ${from}
      ORDER BY first_row
      LIMIT ${count}`,
  );
}

/** Imports without a worker. */
export async function listWaiting(silentSeconds: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    // Answered by import_open.
    sql`
      SELECT id
      FROM import
      WHERE (state = 'waiting' AND seen_at < now() - ${silentSeconds} * interval '1 second')
        OR (state = 'running' AND seen_at < now() - ${silentSeconds} * interval '1 second')
      ORDER BY created_at`,
  );
  return rows.map(({ id }) => id);
}
