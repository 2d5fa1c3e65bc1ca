const partMax = 10_000;
const partGrowth = 4;

/**
 * The first `limit` rows that the actor may see. They are read in growing parts, so that a person
 * who sees one row in a thousand waits for a few statements.
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
