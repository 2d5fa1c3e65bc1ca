/**
 * Rollups are derived from raw clicks by closing slots: a touched quarter hour that is over is computed anew and
 * replaces what was there. Late and repeated events only touch their slot again, and everything can be rebuilt.
 *
 * A slot is closed under the lock of its mark. Ingest that touches it meanwhile waits for that lock, and its mark
 * outlives the closing, so the slot is computed once more.
 */
import { type Connection, query, sql, transaction } from "#lib/postgres";
import { slotMs } from "./slots.ts";

const slotsMax = 200;
/** Slots are counted from here; every quarter hour of every zone begins one. */
const slotOrigin = new Date(0);

interface Slot {
  workspace_pk: number;
  slot: Date;
}

/** Closes touched slots that ended before `now`. Returns how many. Safe to run twice, and in several workers. */
export async function rollSlots(now = new Date()): Promise<number> {
  let rolled = 0;
  while (rolled < slotsMax) {
    const found = await transaction((tx) => rollNext(tx, now));
    if (!found) break;
    rolled += 1;
  }
  return rolled;
}

async function rollNext(tx: Connection, now: Date): Promise<boolean> {
  const [next] = await query<Slot>(
    sql`
      SELECT workspace_pk, slot
      FROM analytics.touched_slot
      WHERE slot + interval '15 minutes' <= ${now}
      ORDER BY slot
      LIMIT 1
      FOR UPDATE SKIP LOCKED`,
    tx,
  );
  if (!next) return false;
  const { workspace_pk: workspacePk, slot } = next;
  await rollPeriod(tx, { workspacePk, from: slot, to: new Date(slot.getTime() + slotMs) });
  await query(
    sql`
      DELETE FROM analytics.touched_slot
      WHERE workspace_pk = ${next.workspace_pk} AND slot = ${next.slot}`,
    tx,
  );
  return true;
}

interface Period {
  workspacePk: number;
  /** Begin of a slot. */
  from: Date;
  /** Begin of the first slot that does not belong to it. */
  to: Date;
}

/** Computes every slot of a period anew from its raw clicks. */
export async function rollPeriod(tx: Connection, period: Period): Promise<void> {
  await rollLinks(tx, period);
  await rollDimensions(tx, period);
}

async function rollLinks(tx: Connection, { workspacePk, from, to }: Period): Promise<void> {
  await query(
    sql`
      DELETE FROM analytics.link_slot
      WHERE workspace_pk = ${workspacePk} AND slot >= ${from} AND slot < ${to}`,
    tx,
  );
  // Answered by click_workspace.
  await query(
    sql`
      INSERT INTO analytics.link_slot (link_pk, slot, workspace_pk, clicks, visitors, scans, bots)
      SELECT
        link_pk,
        date_bin('15 minutes', at, ${slotOrigin}) AS slot,
        workspace_pk,
        count(*) FILTER (WHERE NOT bot),
        count(*) FILTER (WHERE first_of_link),
        count(*) FILTER (WHERE qr AND NOT bot),
        count(*) FILTER (WHERE bot)
      FROM analytics.click
      WHERE workspace_pk = ${workspacePk} AND at >= ${from} AND at < ${to}
      GROUP BY link_pk, slot, workspace_pk`,
    tx,
  );
}

/** Every dimension at once: they share one pass over the clicks. */
async function rollDimensions(tx: Connection, { workspacePk, from, to }: Period): Promise<void> {
  await query(
    sql`
      DELETE FROM analytics.workspace_slot
      WHERE workspace_pk = ${workspacePk} AND slot >= ${from} AND slot < ${to}`,
    tx,
  );
  await query(
    sql`
      INSERT INTO analytics.workspace_slot
        (workspace_pk, slot, dimension, value, clicks, visitors, scans, bots)
      SELECT
        ${workspacePk},
        date_bin('15 minutes', at, ${slotOrigin}) AS slot,
        dimension.name,
        dimension.value,
        count(*) FILTER (WHERE NOT bot),
        count(*) FILTER (WHERE first_of_workspace),
        count(*) FILTER (WHERE qr AND NOT bot),
        count(*) FILTER (WHERE bot)
      FROM analytics.click
      CROSS JOIN LATERAL (
        VALUES
          ('total', ''),
          ('country', country),
          ('city', city),
          ('device', device),
          ('browser', browser),
          ('os', os),
          ('language', language),
          ('referer', referer),
          ('utm_source', utm_source),
          ('utm_medium', utm_medium),
          ('utm_campaign', utm_campaign)
      ) AS dimension (name, value)
      WHERE workspace_pk = ${workspacePk}
        AND at >= ${from}
        AND at < ${to}
        AND dimension.value IS NOT NULL
      GROUP BY slot, dimension.name, dimension.value`,
    tx,
  );
}
