/** Stats of the instance, none about a tenant. Each query stays short even with billions of links. */
import { readLeases } from "#lib/links/keys";
import { countedMax, countOf, countPeople, countWorkspaces } from "#lib/office/directory";
import type { OfficeCount } from "#lib/office/directory/schema";
import { countReported } from "#lib/office/reports";
import { countClicksOfDay } from "#lib/office/usage";
import { codePools } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import { countFailedJobs } from "#lib/platform/queue";
import { redis, redisReady } from "#lib/platform/redis";
import { countActiveBans } from "#lib/tenancy/bans";
import type { OperatorScope } from "#lib/tenancy/operators";
import type { Overview } from "./schema.ts";

/** As many as the page of bans lists. */
const bansMax = 100;
const jobsTimeoutMs = 1_000;

export async function readOverview(_: OperatorScope, now = new Date()): Promise<Overview> {
  // Otherwise the first call of a process would run before it is connected.
  await redisReady(redis(), jobsTimeoutMs);
  const [workspaces, people, links, reports, bans, clicksToday, { leased }, jobsFailed] =
    await Promise.all([
      countWorkspaces(),
      countPeople(),
      countLinks(),
      countReported(),
      countActiveBans(bansMax),
      countClicksOfDay(now.getTime()),
      readLeases(),
      countFailedJobs(jobsTimeoutMs).catch(() => null),
    ]);
  const codes = codePools.map(({ first, size, length }) => {
    const used = Math.min(Math.max(leased - first, 0), size);
    return { length, leased: used, left: size - used };
  });
  return { workspaces, people, links, reports, bans, clicksToday, codes, jobsFailed };
}

async function countLinks(): Promise<OfficeCount> {
  // Answered by link_pkey, which is read up to the limit. A code that a custom slug spells is not a link, and example data
  // does not count.
  const row = await query.one<{ counted: number; estimate: number }>(sql`
    SELECT
      (SELECT count(*) FROM (
        SELECT 1 FROM link
        WHERE workspace_pk <> ALL(ARRAY(SELECT pk FROM workspace WHERE demo)) AND url <> '' LIMIT ${countedMax + 1}
      ) AS counted) AS counted,
      (SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.link'::regclass) AS estimate`);
  return countOf(row?.counted, row?.estimate);
}
