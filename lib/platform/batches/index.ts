/** Batches: grouped writes, rows that fail without affecting others, and long lists in slices. */
import { isRejectedInput, isUnavailable } from "#lib/platform/errors";
import { type Connection, sql } from "#lib/platform/postgres";

export { GroupCommit } from "./group.ts";
export { LastUses, useLagMinutes } from "./last-uses.ts";
export { mapInSlices, slicesOf } from "./slices.ts";

export type RowResult<T> = { ok: true; value: T } | { ok: false; error: unknown };

/**
 * Processes rows together. When a row fails, the batch is cut in halves until the row is alone, so that every row gets
 * its own outcome. Errors that no row causes, such as an unavailable database, are thrown.
 */
export async function bisect<Row, T>(
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<T[]>,
  isOfRow: (error: unknown) => boolean = (error) => !isUnavailable(error),
): Promise<RowResult<T>[]> {
  if (rows.length === 0) return [];
  try {
    const values = await work(rows);
    return values.map((value) => ({ ok: true, value }));
  } catch (error) {
    if (!isOfRow(error)) throw error;
    if (rows.length === 1) return [{ ok: false, error }];
    const middle = rows.length >> 1;
    const left = await bisect(rows.slice(0, middle), work, isOfRow);
    const right = await bisect(rows.slice(middle), work, isOfRow);
    return [...left, ...right];
  }
}

/** The same inside a transaction, which continues after a row that the database refused. */
export function bisectIn<Row, T>(
  tx: Connection,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<T[]>,
): Promise<RowResult<T>[]> {
  return bisect(rows, (part) => withSavepoint(tx, () => work(part)), isRejectedInput);
}

/** A failure here leaves the rest of the transaction unchanged. */
async function withSavepoint<T>(tx: Connection, work: () => Promise<T>): Promise<T> {
  await tx.query(sql`SAVEPOINT part`);
  try {
    const result = await work();
    await tx.query(sql`RELEASE SAVEPOINT part`);
    return result;
  } catch (error) {
    if (isRejectedInput(error)) await tx.query(sql`ROLLBACK TO SAVEPOINT part`);
    throw error;
  }
}
