/**
 * The moment before which no link can still appear, except by a restore or a move, which add their
 * texts themselves.
 *
 * A mark is a moment and the id of a transaction at that moment. Transactions that wrote before it have smaller ids. When all of
 * them have ended, every link that was created some minutes before the mark is visible: an id is never older than that when its
 * transaction begins to write. A transaction that stays open keeps the horizon where it is.
 */
import { type Connection, sql, transaction } from "#lib/platform/postgres";

interface Horizon {
  settled_at: Date;
  marked_at: Date;
  marked_xid: number;
}

/** 1970 until the first mark is settled. */
export function moveHorizon(idAgeMaxMs: number): Promise<Date> {
  return transaction(async (tx) => {
    const horizon = (await findHorizon(tx)) ?? (await addHorizon(tx));
    return await mark(tx, horizon, idAgeMaxMs);
  });
}

function findHorizon(tx: Connection) {
  return tx.one<Horizon>(sql`
    SELECT settled_at, marked_at, marked_xid
    FROM search_horizon
    FOR UPDATE`);
}

/** The first mark. A worker that adds one at the same time waits here, and finds this one. */
async function addHorizon(tx: Connection): Promise<Horizon> {
  await tx.query(sql`
    INSERT INTO search_horizon (settled_at, marked_at, marked_xid)
    VALUES ('epoch', now(), pg_current_xact_id()::text::bigint)
    ON CONFLICT DO NOTHING`);
  const horizon = await findHorizon(tx);
  if (!horizon) throw new Error("search_horizon has no row");
  return horizon;
}

async function mark(tx: Connection, horizon: Horizon, idAgeMaxMs: number): Promise<Date> {
  // now() is the start of this transaction, before it had an id.
  const [current] = await tx.query<{ at: Date; xid: number; oldest: number }>(sql`
    SELECT now() AS at, pg_current_xact_id()::text::bigint AS xid,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest`);
  if (!current) throw new Error("PostgreSQL returned no transaction id");
  // After a restore from a dump, the mark comes from another server.
  const isForeign = horizon.marked_xid > current.xid;
  const isOpen = current.oldest <= horizon.marked_xid;
  if (isOpen && !isForeign) return horizon.settled_at;
  const settledMs = isForeign ? 0 : horizon.marked_at.getTime() - idAgeMaxMs;
  const settledAt = new Date(Math.max(settledMs, horizon.settled_at.getTime()));
  await tx.query(sql`
    UPDATE search_horizon
    SET settled_at = ${settledAt}, marked_at = ${current.at}, marked_xid = ${current.xid}`);
  return settledAt;
}
