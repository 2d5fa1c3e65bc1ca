/**
 * The two sequences whose values must never go back: revisions of cached rows, because Redis refuses older ones, and
 * blocks of primary keys, because a key that is issued twice would be a duplicate code.
 *
 * A replica that is promoted may lack the last values of the former primary, and so does a restored backup. Both show in
 * the timeline of the server, which every promotion and every recovery starts anew; a dump that is loaded elsewhere
 * shows in the system identifier. Table `installation` has the last one known. Each value is taken together with the
 * current timeline; when they differ, the sequences jump ahead before a value is used, in the same transaction.
 */

import { isUnavailable } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";

/** More than an instance can lose: a revision is one change. */
export const revisionsAhead = 1_000_000_000;
/** 16.8 million primary keys, of 56.8 billion with six characters. */
export const blocksAhead = 256;
const triesMax = 3;

/** Whether this PostgreSQL has timelines. Some managed ones refuse the functions. */
let hasTimelines = false;

type Sequence = "revision" | "pk_block";

interface Taken {
  number: number;
  moved: boolean;
}

/** The next revision, for the transaction of a change. */
export function nextRevision(tx: Connection): Promise<number> {
  return next("revision", tx);
}

/** The next block of primary keys. */
export function nextPkBlock(): Promise<number> {
  return hasTimelines ? transaction((tx) => next("pk_block", tx)) : next("pk_block");
}

async function next(sequence: Sequence, on?: Connection): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const [row] = await query
      .on(on)
      .query<Taken>(hasTimelines ? takeChecked(sequence) : take(sequence));
    if (!row) throw new Error("nextval returned no row");
    if (!row.moved) return row.number;
    if (on) await jumpAhead(on);
  }
  throw new Error(`The timeline changed ${triesMax} times while a number was taken`);
}

function take(sequence: Sequence) {
  return sql`SELECT nextval(${sequence}::regclass) AS number, FALSE AS moved`;
}

/** Comparing costs some microseconds; a change is a batch of links, a block 65,536 of them. */
function takeChecked(sequence: Sequence) {
  return sql`
    SELECT nextval(${sequence}::regclass) AS number, coalesce(
      right((SELECT timeline FROM installation), 8) <> left(pg_walfile_name(pg_current_wal_lsn()), 8),
      FALSE
    ) AS moved`;
}

/** Of the server: its system identifier, and its timeline in eight hexadecimal digits. */
async function readTimeline(on?: Connection): Promise<string> {
  const [row] = await query.on(on).query<{ timeline: string }>(sql`
    SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline
    FROM pg_control_system()`);
  if (!row) throw new Error("The server has no timeline");
  return row.timeline;
}

/** Only the first transaction of a timeline jumps: others wait for its row, and find the timeline noted. */
async function jumpAhead(tx: Connection): Promise<void> {
  const timeline = await readTimeline(tx);
  const rows = await tx.query(sql`
    UPDATE installation
    SET timeline = ${timeline}
    WHERE timeline <> ${timeline}
    RETURNING timeline`);
  if (rows.length === 0) return;
  await skipAhead(tx);
  log.warn({ event: "sequences.jumped", timeline });
}

/** Leaves out what may have been taken and forgotten. A rollback does not undo it, which is harmless. */
export async function skipAhead(on: Connection): Promise<void> {
  await on.query(sql`
    SELECT
      setval('public.revision', nextval('public.revision') + ${revisionsAhead}::bigint),
      setval('public.pk_block', nextval('public.pk_block') + ${blocksAhead}::bigint)`);
}

/** Notes the timeline of a new instance, and jumps ahead of what an earlier one may have used. At every start. */
export async function openSequences(): Promise<void> {
  try {
    const timeline = await readTimeline();
    await query(sql`UPDATE installation SET timeline = ${timeline} WHERE timeline IS NULL`);
    hasTimelines = true;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.warn({
      event: "sequences.unchecked",
      text: "PostgreSQL doesn’t report its timeline, so Fuxi can’t recognize a promotion or a restore.",
      error: String(error),
    });
    return;
  }
  await transaction(jumpAhead);
}
