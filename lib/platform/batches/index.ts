/** Batches: grouped writes, rows that fail without affecting others, and long lists in slices. */

import { setImmediate } from "node:timers/promises";
import { isRejectedInput, isUnavailable } from "#lib/platform/errors";
import { type Connection, sql } from "#lib/platform/postgres";

export { GroupCommit } from "./group.ts";
export { LastUses, useLagMinutes } from "./last-uses.ts";

export type RowResult<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Halves a failing batch until each bad row is alone. Errors that no row causes are thrown. */
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

/** Like `bisect`, inside a transaction that continues after rows the database refused. */
export function bisectIn<Row, T>(
  tx: Connection,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<T[]>,
): Promise<RowResult<T>[]> {
  return bisect(rows, (part) => withSavepoint(tx, () => work(part)), isRejectedInput);
}

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

const itemsPerTurn = 50;

export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Lets the process handle requests and database responses between slices. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const slice of slicesOf(items, itemsPerTurn)) {
    mapped.push(...slice.map(map));
    await setImmediate();
  }
  return mapped;
}
