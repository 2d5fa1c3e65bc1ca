/** The instance’s usage over time, its storage, and a forecast. Contains nothing about tenants. */

import { z } from "zod";
import { dayMs } from "#lib/basics/time/schema";
import { readLeases } from "#lib/links/keys";
import { countPeople, countWorkspaces } from "#lib/office/directory";
import { query, sql } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { redis, redisReady } from "#lib/platform/redis";
import type { OperatorScope } from "#lib/tenancy/operators";
import { countClicks, countNewLinks, recordDays } from "./daily.ts";
import {
  averagedDays,
  codesPerDay,
  forecastPools,
  growthPerDay,
  type RecordedDay,
} from "./forecast.ts";
import type { Usage, UsageDay, UsagePeriod } from "./schema.ts";
import { readStorage } from "./storage.ts";

const recordEveryMs = 3_600_000;
const redisWaitMs = 1_000;

export const usageJob = defineJob({
  name: "usage.record",
  schema: z.object({}),
  everyMs: recordEveryMs,
  handle: () => recordDays(),
});

type DayRow = RecordedDay & Omit<UsageDay, "day">;

export async function readUsage(
  _: OperatorScope,
  days: UsagePeriod,
  now = Date.now(),
): Promise<Usage> {
  const today = Math.floor(now / dayMs);
  await redisReady(redis(), redisWaitMs);
  const [rows, counted, { leased, block }, storage] = await Promise.all([
    listDays(today - Math.max(days, averagedDays + 1)),
    countToday(today),
    readLeases(),
    readStorage(),
  ]);
  const perDay = codesPerDay(rows, { nth: today, value: leased });
  const bytes = { nth: today, value: storage.databaseBytes };
  return {
    days: withToday(fillDays(rows, today - days + 1, today), counted),
    codes: { perDay, pools: forecastPools(leased, perDay), block, nextBlock: leased },
    storage: { ...storage, bytesPerDay: growthPerDay(rows, "databaseBytes", bytes) },
  };
}

async function listDays(first: number): Promise<DayRow[]> {
  // Answered by instance_day_pkey.
  return await query<DayRow>(sql`
    SELECT
      day - '1970-01-01'::date AS nth, links, clicks, workspaces, people,
      codes_leased AS "codesLeased", database_bytes AS "databaseBytes"
    FROM instance_day
    WHERE day >= '1970-01-01'::date + ${first}::int
    ORDER BY day`);
}

/** Fills in days without a row, which are from before the instance or not counted yet. */
function fillDays(rows: readonly DayRow[], first: number, last: number): UsageDay[] {
  const known = new Map(rows.map((row) => [row.nth, row]));
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const { links = 0, clicks = 0, workspaces = 0, people = 0 } = known.get(first + at) ?? {};
    const day = new Date((first + at) * dayMs).toISOString().slice(0, 10);
    return { day, links, clicks, workspaces, people };
  });
}

/** Today as the overview and the lists count it now, not as of the last recording. */
async function countToday(today: number): Promise<Omit<UsageDay, "day">> {
  const start = today * dayMs;
  const from = new Date(start).toISOString().slice(0, 10);
  const [links, clicks, workspaces, people] = await Promise.all([
    countNewLinks(start),
    countClicks(start),
    countWorkspaces({ from }),
    countPeople({ from }),
  ]);
  return { links, clicks, workspaces: workspaces.count, people: people.count };
}

function withToday(days: UsageDay[], counted: Omit<UsageDay, "day">): UsageDay[] {
  const last = days.at(-1);
  if (!last) return days;
  const { links, clicks, workspaces, people } = counted;
  return days.with(-1, {
    day: last.day,
    links: Math.max(last.links, links),
    clicks: Math.max(last.clicks, clicks),
    workspaces: Math.max(last.workspaces, workspaces),
    people: Math.max(last.people, people),
  });
}

export function countClicksOfDay(at: number): Promise<number> {
  return countClicks(Math.floor(at / dayMs) * dayMs);
}
