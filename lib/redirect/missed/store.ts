/**
 * Misses of a domain and day in PostgreSQL, in bounded space. The first names are counted exactly.
 * Further ones share the remaining rows by the Space-Saving algorithm: if none is free, a new name
 * takes over the one with the smallest count, so its own count can be too high by that number.
 */
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { addEvents, findListener } from "#lib/tenancy/webhook-events";
import type { MissedDay } from "./pending.ts";

export const firstKeysMax = 1_000;
export const furtherKeysMax = 500;
/** Webhooks are told when a name has been visited this often on a day. */
export const toldVisits = 10;

interface Counted {
  key: string;
  visits: number;
  /** Null: never replaced. */
  error: number | null;
}

/** What a flush added to a name that it certainly had: `before` and after it. */
interface Rise {
  key: string;
  before: number;
  visits: number;
}

export async function addDay(missed: MissedDay): Promise<void> {
  await transaction(async (tx) => {
    const firstKeys = await lockDay(tx, missed);
    // The domain was deleted, or belongs to another workspace now.
    if (firstKeys === undefined) return;
    const rises = await raiseKnown(tx, missed);
    const known = new Set(rises.map(({ key }) => key));
    const added = [...missed.keys]
      .filter(([key]) => !known.has(key))
      .map(([key, visits]) => ({ key, visits, error: null }));
    const room = firstKeysMax - firstKeys;
    const first = added.slice(0, room);
    await insertLinks(tx, missed, first);
    await countFirst(tx, missed, first.length);
    await shareRows(tx, missed, added.slice(room));
    const all = [...rises, ...added.map(({ key, visits }) => ({ key, before: 0, visits }))];
    await tellWebhooks(tx, missed, all);
  });
}

/** Counts the visits, and locks the day until the transaction ends, so that several processes take turns. */
async function lockDay(tx: Connection, missed: MissedDay): Promise<number | undefined> {
  const { domainPk, workspacePk, day, bots, others, keys } = missed;
  const named = [...keys.values()].reduce((sum, visits) => sum + visits, 0);
  // Answered by domain_pkey.
  const row = await tx.one<{ keys: number }>(
    // defence: misses-of-owner
    sql`
      INSERT INTO missed_day AS own (domain_pk, day, workspace_pk, visits, others, bots, keys)
      SELECT pk, ${day}::date, ${workspacePk}::int, ${named + others}, ${others}, ${bots}, 0
      FROM domain
      WHERE pk = ${domainPk}
        AND workspace_pk = ${workspacePk}
      ON CONFLICT (domain_pk, day, workspace_pk) DO UPDATE
      SET visits = own.visits + EXCLUDED.visits,
        others = own.others + EXCLUDED.others,
        bots = own.bots + EXCLUDED.bots
      RETURNING keys`,
  );
  return row?.keys;
}

async function raiseKnown(
  tx: Connection,
  { domainPk, workspacePk, day, keys, at }: MissedDay,
): Promise<Rise[]> {
  if (keys.size === 0) return [];
  // Answered by missed_link_pkey.
  return await tx.query<Rise>(sql`
    UPDATE missed_link AS own
    SET visits = own.visits + new.visits,
      last_at = greatest(own.last_at, ${new Date(at)}::timestamptz)
    FROM unnest(${[...keys.keys()]}::text[], ${[...keys.values()]}::int[]) AS new (key, visits)
    WHERE own.domain_pk = ${domainPk}
      AND own.day = ${day}
      AND own.workspace_pk = ${workspacePk}
      AND own.key = new.key
    RETURNING own.key, own.visits - coalesce(own.error, 0) AS visits,
      own.visits - coalesce(own.error, 0) - new.visits AS before`);
}

async function insertLinks(
  tx: Connection,
  { domainPk, workspacePk, day, at }: MissedDay,
  links: readonly Counted[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.query(sql`
    INSERT INTO missed_link (domain_pk, day, workspace_pk, key, visits, error, last_at)
    SELECT ${domainPk}::int, ${day}::date, ${workspacePk}::int, key, visits, error,
      ${new Date(at)}::timestamptz
    FROM unnest(
      ${links.map(({ key }) => key)}::text[],
      ${links.map(({ visits }) => visits)}::bigint[],
      ${links.map(({ error }) => error)}::bigint[]
    ) AS new (key, visits, error)`);
}

async function countFirst(
  tx: Connection,
  { domainPk, workspacePk, day }: MissedDay,
  added: number,
): Promise<void> {
  if (added === 0) return;
  // Answered by missed_day_pkey.
  await tx.query(sql`
    UPDATE missed_day
    SET keys = keys + ${added}
    WHERE domain_pk = ${domainPk}
      AND day = ${day}
      AND workspace_pk = ${workspacePk}`);
}

async function shareRows(
  tx: Connection,
  missed: MissedDay,
  added: readonly Counted[],
): Promise<void> {
  if (added.length === 0) return;
  const { domainPk, workspacePk, day } = missed;
  // Answered by missed_link_pkey.
  const before = await tx.query<Counted>(sql`
    SELECT key, visits, error
    FROM missed_link
    WHERE domain_pk = ${domainPk}
      AND day = ${day}
      AND workspace_pk = ${workspacePk}
      AND error IS NOT NULL
    ORDER BY visits, key`);
  const after = saveSpace(before, added);
  const kept = new Set(after);
  const replaced = before.filter((row) => !kept.has(row)).map(({ key }) => key);
  await tx.query(sql`
    DELETE FROM missed_link
    WHERE domain_pk = ${domainPk}
      AND day = ${day}
      AND workspace_pk = ${workspacePk}
      AND key = ANY(${replaced}::text[])`);
  const known = new Set(before);
  const inserted = after.filter((row) => !known.has(row));
  await insertLinks(tx, missed, inserted);
}

/** The rows, by visits, after the new names took the place of the smallest ones. */
export function saveSpace(before: readonly Counted[], added: readonly Counted[]): Counted[] {
  const rows = [...before];
  for (const { key, visits } of added) {
    const smallest = rows.length < furtherKeysMax ? undefined : rows.shift();
    const error = smallest?.visits ?? 0;
    const row = { key, visits: error + visits, error };
    rows.splice(placeOf(rows, row.visits), 0, row);
  }
  return rows;
}

/** By halves, because a flush can bring thousands of names. */
function placeOf(rows: readonly Counted[], visits: number): number {
  let [from, until] = [0, rows.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if ((rows[middle]?.visits ?? 0) < visits) from = middle + 1;
    else until = middle;
  }
  return from;
}

async function tellWebhooks(
  tx: Connection,
  { domainPk, workspacePk, day }: MissedDay,
  rises: readonly Rise[],
): Promise<void> {
  const told = rises.filter(({ before, visits }) => before < toldVisits && visits >= toldVisits);
  if (told.length === 0) return;
  const type = "link.missed" as const;
  if (!(await findListener(tx, workspacePk, type))) return;
  // Answered by domain_pkey.
  const domain = await tx.one<{ slug: string }>(
    sql`SELECT slug FROM domain WHERE pk = ${domainPk}`,
  );
  if (!domain) return;
  await addEvents(
    tx,
    told.map(({ key, visits }) => {
      return { workspacePk, type, data: { domain: domain.slug, key, day, visits } };
    }),
  );
}
