/** The figures of an instance, each from a query that stays short with billions of links. None is about a tenant. */
import { wholeWorkspace } from "#lib/analytics/rollups";
import { codePools } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import { countFailedJobs } from "#lib/platform/queue";
import { redis, redisReady } from "#lib/platform/redis";
import type { OperatorScope } from "#lib/tenancy/operators";
import type { OfficeCount, Overview } from "./schema.ts";

/** Rows that are counted; of larger tables the estimate of the database is shown. */
export const countedMax = 100_000;
/** As leased by lib/links/keys. */
const blockSize = 65_536;
const jobsTimeoutMs = 1_000;

export async function readOverview(_: OperatorScope, now = new Date()): Promise<Overview> {
  // The first call of a process would come before its connection.
  await redisReady(redis(), jobsTimeoutMs);
  const [counts, clicksToday, leased, jobsFailed] = await Promise.all([
    countRows(),
    countClicks(now),
    countLeased(),
    countFailedJobs(jobsTimeoutMs).catch(() => null),
  ]);
  const codes = codePools.map(({ first, size, length }) => {
    const used = Math.min(Math.max(leased - first, 0), size);
    return { length, leased: used, left: size - used };
  });
  return { ...counts, clicksToday, codes, jobsFailed };
}

async function countRows(): Promise<Pick<Overview, "workspaces" | "people" | "links">> {
  // Answered by primary keys, which are read up to the limit.
  const [row] = await query<
    Record<"workspaces" | "people" | "links", number> & {
      linksEstimate: number;
      peopleEstimate: number;
      workspacesEstimate: number;
    }
  >(sql`
    SELECT
      (SELECT count(*) FROM (SELECT FROM workspace LIMIT ${countedMax + 1}) AS counted) AS workspaces,
      (SELECT count(*) FROM (SELECT FROM app_user LIMIT ${countedMax + 1}) AS counted) AS people,
      (SELECT count(*) FROM (SELECT FROM link LIMIT ${countedMax + 1}) AS counted) AS links,
      (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.workspace'::regclass) AS "workspacesEstimate",
      (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.app_user'::regclass) AS "peopleEstimate",
      (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.link'::regclass) AS "linksEstimate"`);
  return {
    workspaces: countOf(row?.workspaces, row?.workspacesEstimate),
    people: countOf(row?.people, row?.peopleEstimate),
    links: countOf(row?.links, row?.linksEstimate),
  };
}

/** The counted number, or beyond the limit the estimate, which is never below it. */
export function countOf(counted = 0, estimate = 0): OfficeCount {
  if (counted <= countedMax) return { count: counted, about: false };
  return { count: Math.max(estimate, counted), about: true };
}

/** Of the quarter hours of this day, which are kept much longer. */
async function countClicks(now: Date): Promise<number> {
  const midnight = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000);
  // Answered by value_slot_of, one lookup per workspace: at most 96 rows each.
  const [row] = await query<{ clicks: number }>(sql`
    SELECT coalesce(sum(slots.clicks), 0)::bigint AS clicks
    FROM workspace
    CROSS JOIN LATERAL (
      SELECT sum(clicks) AS clicks
      FROM analytics.value_slot
      WHERE workspace_pk = workspace.pk
        AND link_pk = ${wholeWorkspace}
        AND dimension = 'total'
        AND start >= ${midnight}
    ) AS slots`);
  return row?.clicks ?? 0;
}

async function countLeased(): Promise<number> {
  const [row] = await query<{ leased: number }>(sql`
    SELECT CASE WHEN is_called THEN (last_value + 1) * ${blockSize}::bigint ELSE 0 END AS leased
    FROM pk_block`);
  return row?.leased ?? 0;
}
