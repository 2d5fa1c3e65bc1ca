import { query } from "#lib/platform/postgres";
import { hasLeaders, type Leader, writeLeaders } from "./leaders.ts";
import { hasOwnerSums, listOwners, writeOwnerSums } from "./owners.ts";
import type { Period } from "./period.ts";
import { type ClickSelection, partsOf, sourceOf } from "./source.ts";
import { type StatementOptions, writeStatement } from "./statement.ts";

export interface CountedRow {
  /** A value, the pk of a link, tag or folder, or the start of a bucket in seconds. */
  key: string | number;
  clicks: number;
  visitors: number;
  bots: number;
  leads?: number;
  sales?: number;
  saleAmount?: number;
}

export interface CountedRows {
  rows: CountedRow[];
  usedZone: string | undefined;
}

export async function countClicks(
  selection: ClickSelection,
  period: Period,
  shape: Omit<StatementOptions, "owners">,
): Promise<CountedRows> {
  const source = await sourceOf(selection);
  const [parts, owners] = await Promise.all([
    partsOf(selection, source, period),
    listOwners(selection),
  ]);
  const { usedZone } = parts;
  const { bots, limit, search, converted } = shape;
  if (limit !== null && !search && !converted && hasLeaders(selection, source, parts)) {
    const leaders = await query<Leader>(writeLeaders(selection, source, parts, { bots, limit }));
    if (leaders.every(({ exact }) => exact)) {
      return { rows: leaders.map(({ exact, ...counted }) => counted), usedZone };
    }
  }
  const write = hasOwnerSums(selection) && !converted ? writeOwnerSums : writeStatement;
  const rows = await query<CountedRow>(write(selection, source, parts, { ...shape, owners }));
  return { rows, usedZone };
}
