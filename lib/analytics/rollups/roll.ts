/**
 * Rolls slots: a touched, finished quarter hour is recounted from its raw clicks. Late events only
 * touch their slot again. Writers never wait for a slot that is being rolled: ingest increments the
 * marks of touched slots in its own transaction, and rolling removes a mark only if it is the one
 * that it read before counting. An advisory lock per workspace keeps two workers apart; a killed
 * worker leaves everything as it was.
 */

import { slotMs } from "#lib/analytics/time-slots";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { rollBusyLinks } from "./busy.ts";
import { touchDay, touchDays } from "./days.ts";
import {
  linkColumns,
  ofWorkspace,
  roll,
  rollTimeoutMs,
  selectLinks,
  selectValues,
  slotDimensions,
  valueColumns,
  valueOrder,
  wholeWorkspace,
} from "./dimensions.ts";
import { tryLockRollups } from "./lock.ts";

const slotsMax = 1_000;
const slotsAtOnce = 100;

export interface Slot {
  workspacePk: number;
  start: Date;
}

/** Rolls slots that ended before `now`, also in several workers. Returns how many. */
export async function rollSlots(now = new Date()): Promise<number> {
  let rolled = 0;
  while (rolled < slotsMax) {
    const touched = await listTouched(now);
    let more = false;
    for (const slot of touched) {
      if (!(await transaction((tx) => rollTouched(tx, slot)))) continue;
      rolled += 1;
      more = true;
    }
    if (!more) break;
  }
  return rolled;
}

function listTouched(now: Date): Promise<Slot[]> {
  // No index: one row per workspace visited in the last minutes.
  return query<Slot>(sql`
    SELECT workspace_pk AS "workspacePk", slot AS start
    FROM analytics.touched_slot
    WHERE slot <= ${new Date(now.getTime() - slotMs)}
    ORDER BY slot
    LIMIT ${slotsAtOnce}`);
}

/** False if it is no longer touched, or another worker rolls it. */
async function rollTouched(tx: Connection, slot: Slot): Promise<boolean> {
  const { workspacePk, start } = slot;
  if (!(await tryLockRollups(tx, workspacePk))) return false;
  const [touched] = await tx.query<{ marks: number }>(sql`
    SELECT marks
    FROM analytics.touched_slot
    WHERE workspace_pk = ${workspacePk} AND slot = ${start}`);
  if (!touched) return false;
  await rollSlot(tx, slot);
  // Last, because ingest that touches the slot waits for this transaction.
  await tx.query(sql`
    DELETE FROM analytics.touched_slot
    WHERE workspace_pk = ${workspacePk} AND slot = ${start} AND marks = ${touched.marks}`);
  return true;
}

/** Also marks the day of the slot. The caller holds the lock of the workspace. */
export async function rollSlot(tx: Connection, { workspacePk, start }: Slot): Promise<void> {
  const until = new Date(start.getTime() + slotMs);
  const slot = { workspacePk, from: start, until };
  await countPeriod(tx, slot, { start: "$2::timestamptz", by: [] });
  await rollBusyLinks(tx, slot);
  await touchDay(tx, workspacePk, start);
}

export interface RolledPeriod {
  workspacePk: number;
  from: Date;
  until: Date;
}

/** Recounts the slots of a period. `start` is the slot of a click, which differs between rows if it is in `by`. */
async function countPeriod(
  tx: Connection,
  { workspacePk, from, until }: RolledPeriod,
  { start, by }: { start: string; by: readonly "start"[] },
): Promise<void> {
  await extendTimeout(tx, rollTimeoutMs);
  await tx.query(sql`
    DELETE FROM analytics.link_slot
    WHERE workspace_pk = ${workspacePk} AND start >= ${from} AND start < ${until}`);
  // Answered by value_slot_of: few links have values.
  await tx.query(sql`
    DELETE FROM analytics.value_slot
    WHERE workspace_pk = ${workspacePk}
      AND link_pk IN (
        SELECT ${wholeWorkspace}::bigint
        UNION ALL
        SELECT link_pk
        FROM analytics.busy_link
        WHERE workspace_pk = ${workspacePk} AND slots_since IS NOT NULL
      )
      AND dimension = ANY(${slotDimensions}::analytics.dimension[])
      AND start >= ${from}
      AND start < ${until}`);
  const clicks = { workspace: "$1", from: "$2", until: "$3" };
  const everything = selectValues({ ...ofWorkspace, ...clicks, start, workspacePk: "$1::int", by });
  const links = `INSERT INTO analytics.link_slot (${linkColumns}) ${selectLinks({ ...clicks, start })}`;
  const values = `INSERT INTO analytics.value_slot (${valueColumns}) ${everything} ${valueOrder}`;
  // Both are answered by click_workspace.
  for (const text of [links, values]) await roll(tx, text, [workspacePk, from, until]);
}

export async function rollPeriod(tx: Connection, period: RolledPeriod): Promise<void> {
  await countPeriod(tx, period, { start: "date_bin('15 minutes', at, 'epoch')", by: ["start"] });
  await touchDays(tx, period.workspacePk, period.from);
}
