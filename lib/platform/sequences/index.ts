/**
 * Two sequences that must never go back: revisions, because Redis refuses older ones, and blocks of
 * primary keys, because a repeated key would make a duplicate code.
 *
 * A promoted replica or restored backup may lack the last values. Both get a new timeline, which is
 * read along with each value. If it differs from `installation`, the sequences jump ahead.
 */
import { isUnavailable } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";

/** More revisions (one per change) than an instance can lose. */
export const revisionsAhead = 1_000_000_000;
/** 16.8 million of 56.8 billion six-character primary keys. */
export const blocksAhead = 256;
const triesMax = 3;

/** Some managed PostgreSQL services refuse the functions. */
let hasTimelines = false;

type Sequence = "revision" | "pk_block";

interface Taken {
  number: number;
  moved: boolean;
}

export function nextRevision(tx: Connection): Promise<number> {
  return next("revision", tx);
}

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

/** The comparison costs some microseconds per batch of links or block of 65,536 keys. */
function takeChecked(sequence: Sequence) {
  return sql`
    SELECT nextval(${sequence}::regclass) AS number, coalesce(
      right((SELECT timeline FROM installation), 8) <> left(pg_walfile_name(pg_current_wal_lsn()), 8),
      FALSE
    ) AS moved`;
}

/** The server's system identifier and its timeline as eight hexadecimal digits. */
async function readTimeline(on?: Connection): Promise<string> {
  const [row] = await query.on(on).query<{ timeline: string }>(sql`
    SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline
    FROM pg_control_system()`);
  if (!row) throw new Error("The server has no timeline");
  return row.timeline;
}

/** Only the first transaction of a timeline jumps. Others wait and find the timeline. */
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

/** Skips values that may have been used and forgotten. A rollback does not undo it. */
export async function skipAhead(on: Connection): Promise<void> {
  await on.query(sql`
    SELECT
      setval('public.revision', nextval('public.revision') + ${revisionsAhead}::bigint),
      setval('public.pk_block', nextval('public.pk_block') + ${blocksAhead}::bigint)`);
}

/** Called at every start. Stores the timeline of a new instance, and jumps ahead on a new timeline. */
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
