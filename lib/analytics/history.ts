/** Clicks of the past, written with their rollups at once instead of one by one through the stream. */
import { dayOf } from "#lib/days";
import { transaction } from "#lib/postgres";
import type { Click } from "./enrich.ts";
import { ensurePastDays } from "./partitions.ts";
import { rollPeriod } from "./rollup.ts";
import { slotMs } from "./slots.ts";
import { addToStats, type First, insertRaw } from "./store.ts";

const batchMax = 5_000;

/**
 * Writes clicks of one workspace, in order of time and complete with what enrichment would have added. They must not be
 * there yet: nothing tells a repetition.
 */
export async function writeHistory(
  workspacePk: number,
  clicks: readonly Click[],
  first: First,
): Promise<void> {
  const [oldest, newest] = [clicks[0], clicks.at(-1)];
  if (!oldest || !newest) return;
  await ensurePastDays(new Set(clicks.map(({ event }) => dayOf(event.at))));
  await transaction(async (tx) => {
    for (let from = 0; from < clicks.length; from += batchMax) {
      const to = from + batchMax;
      const part = {
        link: first.link.slice(from, to),
        workspace: first.workspace.slice(from, to),
      };
      await insertRaw(tx, clicks.slice(from, to), part);
      await addToStats(tx, clicks.slice(from, to), part);
    }
    await rollPeriod(tx, {
      workspacePk,
      from: new Date(oldest.slot),
      to: new Date(newest.slot + slotMs),
    });
  });
}
