/** Batches: writes that are gathered, and rows of which a bad one harms no other. */
import { isUnavailable } from "#lib/platform/postgres";

export { GroupCommit } from "./group.ts";

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/**
 * Writes rows together. When the database refuses the batch, it is cut in halves until the refused rows are alone,
 * so every row gets its own outcome. A database that cannot be asked is not bisected: it throws.
 */
export async function writeBatch<Row, T>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<T[]>,
): Promise<Outcome<T>[]> {
  try {
    const values = await write(rows);
    return values.map((value) => ({ ok: true, value }));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (rows.length === 1) return [{ ok: false, error }];
    const middle = rows.length >> 1;
    const left = await writeBatch(rows.slice(0, middle), write);
    const right = await writeBatch(rows.slice(middle), write);
    return [...left, ...right];
  }
}
