/**
 * Rolls slots: a touched, finished quarter hour is recounted from its raw clicks and replaced. Late and repeated events
 * only touch their slot again, and everything can be rebuilt.
 *
 * Writers never wait for a slot that is being rolled. Ingest increments the marks of touched slots in its own
 * transaction; rolling reads the marks, counts, and removes a mark only if it is unchanged. The marks it read belong to
 * clicks committed before the count started; any others keep the slot touched, and it is rolled again. An advisory lock
 * per workspace keeps two workers apart; it ends with its transaction, so a killed worker leaves everything as it was.
 */

import { slotMs } from "#lib/analytics/time-slots";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { rollBusyLinks } from "./busy.ts";
import { touchDay, touchDays } from "./days.ts";
import {
  linkColumns,
  rollStatement,
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

/** Rolls touched slots that ended before `now`. Returns their number. Safe to run twice, and in several workers. */
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
    // The others are being rolled by another worker.
    if (!more) break;
  }
  return rolled;
}

function listTouched(now: Date): Promise<Slot[]> {
  // One row per workspace visited in the last minutes: no index.
  return query<Slot>(sql`
    SELECT workspace_pk AS "workspacePk", slot AS start
    FROM analytics.touched_slot
    WHERE slot <= ${new Date(now.getTime() - slotMs)}
    ORDER BY slot
    LIMIT ${slotsAtOnce}`);
}

/** False: it is no longer touched, or another worker rolls it. */
async function rollTouched(tx: Connection, slot: Slot): Promise<boolean> {
  const { workspacePk, start } = slot;
  if (!(await tryLockRollups(tx, workspacePk))) return false;
  const [touched] = await tx.query<{ marks: number }>(sql`
    SELECT marks
    FROM analytics.touched_slot
    WHERE workspace_pk = ${workspacePk} AND slot = ${start}`);
  if (!touched) return false;
  await rollSlot(tx, slot);
  // At the end, because ingest that touches the slot waits until this transaction ends.
  await tx.query(sql`
    DELETE FROM analytics.touched_slot
    WHERE workspace_pk = ${workspacePk} AND slot = ${start} AND marks = ${touched.marks}`);
  return true;
}

/** Recounts a slot, and marks its day. The caller holds the lock of the workspace. */
export async function rollSlot(tx: Connection, { workspacePk, start }: Slot): Promise<void> {
  await extendTimeout(tx, rollTimeoutMs);
  const until = new Date(start.getTime() + slotMs);
  await dropPeriod(tx, { workspacePk, from: start, until });
  const where = "workspace_pk = $1 AND at >= $2 AND at < $3";
  const values = [workspacePk, start, until];
  // Both are answered by click_workspace.
  await tx.query(
    rollStatement(
      `INSERT INTO analytics.link_slot (${linkColumns})
    ${selectLinks({ start: "$2::timestamptz", where })}`,
      values,
    ),
  );
  const everything = {
    start: "$2::timestamptz",
    linkPk: `${wholeWorkspace}`,
    workspacePk: "$1::int",
    by: [],
    first: "first_of_workspace" as const,
    where,
  };
  await tx.query(
    rollStatement(
      `INSERT INTO analytics.value_slot (${valueColumns})
    ${selectValues(everything)}
    ${valueOrder}`,
      values,
    ),
  );
  await rollBusyLinks(tx, { workspacePk, from: start, until });
  await touchDay(tx, workspacePk, start);
}

export interface RolledPeriod {
  workspacePk: number;
  /** Start of a slot. */
  from: Date;
  /** Start of the first excluded slot. */
  until: Date;
}

/** Drops the rollups of a period, for the workspace and all of its links. */
async function dropPeriod(
  tx: Connection,
  { workspacePk, from, until }: RolledPeriod,
): Promise<void> {
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
}

/** Counts every slot of a period at once. For past clicks that are written together. */
export async function rollPeriod(tx: Connection, period: RolledPeriod): Promise<void> {
  await extendTimeout(tx, rollTimeoutMs);
  await dropPeriod(tx, period);
  const where = "workspace_pk = $1 AND at >= $2 AND at < $3";
  const start = "date_bin('15 minutes', at, 'epoch')";
  const values = [period.workspacePk, period.from, period.until];
  await tx.query(
    rollStatement(
      `INSERT INTO analytics.link_slot (${linkColumns})
    ${selectLinks({ start, where })}`,
      values,
    ),
  );
  const everything = {
    start,
    linkPk: `${wholeWorkspace}`,
    workspacePk: "$1::int",
    by: ["start" as const],
    first: "first_of_workspace" as const,
    where,
  };
  await tx.query(
    rollStatement(
      `INSERT INTO analytics.value_slot (${valueColumns})
    ${selectValues(everything)}
    ${valueOrder}`,
      values,
    ),
  );
  await touchDays(tx, period.workspacePk, period.from);
}
