/** Stats of the instance, none about a tenant. Each query stays short even with billions of links. */
import { readLeases } from "#lib/links/keys";
import { countClicksOfDay } from "#lib/office/usage";
import { codePools } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import { countFailedJobs } from "#lib/platform/queue";
import { redis, redisReady } from "#lib/platform/redis";
import type { OperatorScope } from "#lib/tenancy/operators";
import type { OfficeCount, Overview } from "./schema.ts";

/** For larger tables, shows the estimate of the database. */
export const countedMax = 100_000;
const jobsTimeoutMs = 1_000;

export async function readOverview(_: OperatorScope, now = new Date()): Promise<Overview> {
  // Otherwise the first call of a process would run before it is connected.
  await redisReady(redis(), jobsTimeoutMs);
  const [counts, clicksToday, { leased }, jobsFailed] = await Promise.all([
    countRows(),
    countClicksOfDay(now.getTime()),
    readLeases(),
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
  (SELECT count(*) FROM (SELECT 1 FROM workspace LIMIT ${countedMax + 1}) AS counted) AS workspaces,
  (SELECT count(*) FROM (SELECT 1 FROM app_user LIMIT ${countedMax + 1}) AS counted) AS people,
  (SELECT count(*) FROM (SELECT 1 FROM link LIMIT ${countedMax + 1}) AS counted) AS links,
  (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.workspace'::regclass) AS "workspacesEstimate",
  (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.app_user'::regclass) AS "peopleEstimate",
  (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.link'::regclass) AS "linksEstimate"`);
  return {
    workspaces: countOf(row?.workspaces, row?.workspacesEstimate),
    people: countOf(row?.people, row?.peopleEstimate),
    links: countOf(row?.links, row?.linksEstimate),
  };
}

/** Beyond the limit, the estimate is never below the counted number. */
export function countOf(counted = 0, estimate = 0): OfficeCount {
  if (counted <= countedMax) return { count: counted, about: false };
  return { count: Math.max(estimate, counted), about: true };
}
