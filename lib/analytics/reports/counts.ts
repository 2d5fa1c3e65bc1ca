/** Counts clicks: a query and a period in, rows of a key and its counters out. */
import { query } from "#lib/platform/postgres";
import { hasLeaders, type Leader, writeLeaders } from "./leaders.ts";
import { hasOwnerSums, writeOwnerSums } from "./owners.ts";
import type { Period } from "./period.ts";
import { partsOf, type Question, sourceOf } from "./source.ts";
import { type Shape, writeStatement } from "./statement.ts";

export interface Counted {
  /** A value, the pk of a link, tag or folder, or the start of a bucket in seconds; `value` is its text. */
  key: string | number;
  clicks: number;
  visitors: number;
  bots: number;
}

export interface Counts {
  rows: Counted[];
  /** The zone of rolled days that were read for a query in another zone. */
  usedZone: string | undefined;
}

export async function countClicks(
  question: Question,
  period: Period,
  shape: Shape,
): Promise<Counts> {
  const source = await sourceOf(question);
  const parts = await partsOf(question, source, period);
  const { usedZone } = parts;
  const { bots, limit } = shape;
  if (limit !== null && hasLeaders(question, source, parts)) {
    const leaders = await query<Leader>(writeLeaders(question, source, parts, { bots, limit }));
    if (leaders.every(({ exact }) => exact)) {
      return { rows: leaders.map(({ exact, ...counted }) => counted), usedZone };
    }
  }
  const write = hasOwnerSums(question) ? writeOwnerSums : writeStatement;
  const rows = await query<Counted>(write(question, source, parts, shape));
  return { rows, usedZone };
}
