/** Recounts everything that raw clicks cover, reports differences, and rolls them again. */

import { dayMs } from "#lib/basics/time/schema";
import { query, sql, transaction } from "#lib/platform/postgres";
import { compareDay, compareMonth, compareSlots, compareStats, type Difference } from "./check.ts";
import { type Day, rollDay, rollRawDay } from "./day.ts";
import { slotsKeptDays } from "./days.ts";
import { lockRollups } from "./lock.ts";
import { type Month, rollMonth, rollMonths } from "./months.ts";
import { rollSlot } from "./roll.ts";

export async function findDifferences(now = Date.now()): Promise<Difference[]> {
  const oldest = await findOldest();
  if (oldest === undefined) return [];
  const found: Difference[] = await compareStats(new Date(oldest));
  // Skips a day that is only partly kept, because its slots may be incomplete.
  const begin = Math.max(oldest, Math.ceil((now - slotsKeptDays * dayMs) / dayMs) * dayMs);
  for (let day = begin; day <= now; day += dayMs) {
    found.push(...(await compareSlots(new Date(day), new Date(day + dayMs))));
  }
  for (const day of await listRolledDays(oldest)) found.push(...(await compareDay(day)));
  for (const month of await listRolledMonths()) found.push(...(await compareMonth(month)));
  return found;
}

const daily: ReadonlySet<Difference["table"]> = new Set(["link_day", "value_day", "owner_day"]);
const monthly: ReadonlySet<Difference["table"]> = new Set([
  "link_month",
  "value_month",
  "owner_month",
]);

/** Returns the differences. Counters of links are only reported. */
export async function rebuild(now = Date.now()): Promise<Difference[]> {
  const found = await findDifferences(now);
  const slots = found.filter(({ table }) => table === "link_slot" || table === "value_slot");
  for (const { workspacePk, start } of slots) {
    if (start) await withRollupLock(workspacePk, (tx) => rollSlot(tx, { workspacePk, start }));
  }
  const days = found.filter(({ table }) => daily.has(table));
  for (const { workspacePk, start } of days) {
    const day = start ? await findDay(workspacePk, start) : undefined;
    if (!day) continue;
    const fromSlots = day.start.getTime() >= now - slotsKeptDays * dayMs;
    await withRollupLock(workspacePk, (tx) => (fromSlots ? rollDay(tx, day) : rollRawDay(tx, day)));
  }
  const months = found.filter(({ table }) => monthly.has(table));
  for (const month of await listRolledMonths()) {
    const differs = months.some(
      ({ workspacePk, start }) =>
        workspacePk === month.workspacePk && start?.getTime() === month.start.getTime(),
    );
    if (differs) await withRollupLock(month.workspacePk, (tx) => rollMonth(tx, month));
  }
  await rollMonths();
  return found;
}

type RollupWork = Parameters<typeof transaction<void>>[0];

function withRollupLock(workspacePk: number, work: RollupWork): Promise<void> {
  return transaction(async (tx) => {
    await lockRollups(tx, [workspacePk]);
    await work(tx);
  });
}

async function findOldest(): Promise<number | undefined> {
  // Answered by the first partitions: the others are not read.
  const [row] = await query<{ at: Date | null }>(sql`
    SELECT date_trunc(
      'day',
      least(
        (SELECT min(at) FROM analytics.click),
        (SELECT min(first_at) FROM analytics.click_block)
      ),
      'UTC'
    ) AS at`);
  return row?.at?.getTime();
}

function listRolledDays(oldest: number): Promise<Day[]> {
  return query<Day>(sql`
    SELECT workspace_pk AS "workspacePk", start, until, zone
    FROM analytics.rolled_day
    WHERE start >= ${new Date(oldest)}
    ORDER BY start, workspace_pk`);
}

/** Days without raw clicks stay, and so do their months. */
function listRolledMonths(): Promise<Month[]> {
  return query<Month>(sql`
    SELECT workspace_pk AS "workspacePk", start, until, zone
    FROM analytics.rolled_month
    ORDER BY start, workspace_pk`);
}

async function findDay(workspacePk: number, start: Date): Promise<Day | undefined> {
  // Answered by rolled_day_pkey.
  return await query.one<Day>(sql`
    SELECT workspace_pk AS "workspacePk", start, until, zone
    FROM analytics.rolled_day
    WHERE workspace_pk = ${workspacePk} AND start = ${start}`);
}
