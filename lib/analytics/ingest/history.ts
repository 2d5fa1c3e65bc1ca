/** Writes past clicks with their rollups at once, instead of one by one through the stream. */

import { ensureRollups, rollPeriod } from "#lib/analytics/rollups";
import { ensurePartitions, slotMs } from "#lib/analytics/time-slots";
import { transaction } from "#lib/platform/postgres";
import { dayOf } from "#lib/platform/visitor-salts";
import type { Click } from "./enrich.ts";
import { addToStats, insertRaw } from "./store.ts";
import type { FirstVisits } from "./visitors.ts";

const batchMax = 5_000;

/**
 * Writes clicks of one workspace, in order of time and already enriched. They must not exist yet: repetitions are not
 * detected.
 */
export async function writeHistory(
  workspacePk: number,
  clicks: readonly Click[],
  first: FirstVisits,
): Promise<void> {
  const [oldest, newest] = [clicks[0], clicks.at(-1)];
  if (!oldest || !newest) return;
  const days = [...new Set(clicks.map(({ event }) => dayOf(event.at)))].map((day) =>
    Date.parse(day),
  );
  // Past visitors are not counted again, so they need no partition.
  await ensurePartitions(["click"], days);
  await ensureRollups(days);
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
    const until = new Date(newest.slot + slotMs);
    await rollPeriod(tx, { workspacePk, from: new Date(oldest.slot), until });
  });
}
