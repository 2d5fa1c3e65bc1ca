/** Pages of rows of which the actor may see only some. */

const partMax = 10_000;
const partGrowth = 4;

/**
 * The first `limit` rows that are shown. They are read in parts, each larger than the one before, so that a person who may
 * see one in a thousand waits for a few statements.
 */
export async function fillPage<Row, Shown>(
  limit: number,
  read: (last: Row | undefined, size: number) => Promise<readonly Row[]>,
  show: (rows: readonly Row[]) => Promise<readonly Shown[]>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  let last: Row | undefined;
  for (let size = limit; ; size = Math.max(limit, Math.min(size * partGrowth, partMax))) {
    const rows = await read(last, size);
    shown.push(...(await show(rows)));
    if (rows.length < size || shown.length >= limit) return shown.slice(0, limit);
    last = rows.at(-1);
  }
}
