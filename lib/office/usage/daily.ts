/**
 * One row per day for the whole instance, recorded by a job. Each run counts the latest days again,
 * because clicks arrive late, and some of the earlier days that are missing, from the data that
 * still exists. A number never decreases: deleted links were still created on that day.
 */

import { slotsKeptDays, wholeWorkspace } from "#lib/analytics/rollups";
import { firstUuidAt } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { readLeases } from "#lib/links/keys";
import { countedMax } from "#lib/office/directory";
import { extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { databaseBytes } from "./storage.ts";

/** Today and the days before it that are counted again. */
const recountedDays = 3;
export const recordedDaysMax = 365;
export const filledDaysMax = 31;
/** The query reads the index entries of all links of a day: 10 million take seconds. */
const countTimeoutMs = 120_000;

/** Returns the number of recorded days. Safe to run twice. */
export async function recordDays(now = Date.now()): Promise<number> {
  const today = Math.floor(now / dayMs);
  const days = await listDueDays(today);
  for (const nth of days) await recordDay(nth, today);
  await recordState(today);
  return days.length;
}

async function listDueDays(today: number): Promise<number[]> {
  const [first] = await query<{ at: Date }>(sql`SELECT created_at AS at FROM installation`);
  const recorded = await query<{ nth: number }>(
    sql`SELECT day - '1970-01-01'::date AS nth FROM instance_day`,
  );
  const known = new Set(recorded.map(({ nth }) => nth));
  const firstDay = Math.floor((first?.at.getTime() ?? 0) / dayMs);
  const past = Array.from({ length: recordedDaysMax }, (_, at) => today - at).filter(
    (nth) => nth >= firstDay,
  );
  const missing = past.slice(recountedDays).filter((nth) => !known.has(nth));
  return [...past.slice(0, recountedDays), ...missing.slice(0, filledDaysMax)];
}

async function recordDay(nth: number, today: number): Promise<void> {
  const start = nth * dayMs;
  const links = await countLinks(start);
  const clicks = await (nth > today - slotsKeptDays ? countClicks(start) : countDayClicks(start));
  await query(sql`
    INSERT INTO instance_day AS known (day, links, clicks, workspaces, people)
    SELECT
      '1970-01-01'::date + ${nth}::int, ${links}, ${clicks},
      (SELECT count(*) FROM workspace WHERE NOT demo AND created_at >= ${new Date(start)} AND created_at < ${new Date(start + dayMs)}),
      (SELECT count(*) FROM app_user WHERE created_at >= ${new Date(start)} AND created_at < ${new Date(start + dayMs)})
    ON CONFLICT (day) DO UPDATE
    SET links = greatest(known.links, excluded.links),
      clicks = greatest(known.clicks, excluded.clicks),
      workspaces = greatest(known.workspaces, excluded.workspaces),
      people = greatest(known.people, excluded.people)`);
}

/** Only current sizes are known, so the last run of a day records the sizes at its end. */
async function recordState(today: number): Promise<void> {
  const [{ leased }, bytes] = await Promise.all([readLeases(), databaseBytes()]);
  await query(sql`
    UPDATE instance_day
    SET codes_leased = ${leased}, database_bytes = ${bytes}
    WHERE day = '1970-01-01'::date + ${today}::int`);
}

function countLinks(start: number): Promise<number> {
  return transaction(async (tx) => {
    await extendTimeout(tx, countTimeoutMs);
    // Answered by link_workspace, one range per workspace: the links of this day alone.
    const [row] = await tx.query<{ links: number }>({
      ...sql`
      SELECT count(*) AS links
      FROM link
      WHERE workspace_pk = ANY(ARRAY(SELECT pk FROM workspace WHERE NOT demo))
        AND id >= ${firstUuidAt(start)}::uuid
        AND id < ${firstUuidAt(start + dayMs)}::uuid`,
      query_timeout: countTimeoutMs,
    });
    return row?.links ?? 0;
  });
}

/** Links of a day up to a limit, for people who wait. */
export async function countNewLinks(start: number): Promise<number> {
  // Answered by link_workspace, one range per workspace.
  const row = await query.one<{ links: number }>(sql`
    SELECT count(*) AS links
    FROM (
      SELECT 1
      FROM link
      WHERE workspace_pk = ANY(ARRAY(SELECT pk FROM workspace WHERE NOT demo))
        AND id >= ${firstUuidAt(start)}::uuid
        AND id < ${firstUuidAt(start + dayMs)}::uuid
      LIMIT ${countedMax}
    ) AS counted`);
  return row?.links ?? 0;
}

/** From quarter hours: at most 96 rows per workspace. */
export async function countClicks(start: number): Promise<number> {
  // Answered by value_slot_of.
  const [row] = await query<{ clicks: number }>(sql`
    WITH known AS MATERIALIZED (
      SELECT pk
      FROM workspace
      WHERE NOT demo
    )
    SELECT coalesce(sum(slot.clicks), 0)::bigint AS clicks
    FROM known
    JOIN analytics.value_slot AS slot ON slot.workspace_pk = known.pk
    WHERE slot.link_pk = ${wholeWorkspace}
      AND slot.dimension = 'total'
      AND slot.start >= ${new Date(start)}
      AND slot.start < ${new Date(start + dayMs)}`);
  return row?.clicks ?? 0;
}

async function countDayClicks(start: number): Promise<number> {
  // Answered by value_day_top. Zones are at most 14 hours ahead of UTC, and 12 behind.
  const [row] = await query<{ clicks: number }>(sql`
    WITH known AS MATERIALIZED (
      SELECT pk, zone
      FROM workspace
      WHERE NOT demo
    )
    SELECT coalesce(sum(day.clicks), 0)::bigint AS clicks
    FROM known
    JOIN analytics.value_day AS day ON day.workspace_pk = known.pk
    WHERE day.link_pk = ${wholeWorkspace}
      AND day.dimension = 'total'
      AND day.start >= ${new Date(start)}::timestamptz - interval '15 hours'
      AND day.start < ${new Date(start)}::timestamptz + interval '15 hours'
      AND (day.start AT TIME ZONE known.zone)::date
        = (${new Date(start)}::timestamptz AT TIME ZONE 'UTC')::date`);
  return row?.clicks ?? 0;
}
