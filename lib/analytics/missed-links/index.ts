/**
 * Missed links: which slugs people visited on the domains of a workspace although no link has them.
 * The redirect counts them (redirect/missed), by UTC day.
 */
import { dayMs } from "#lib/basics/time/schema";
import { recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { reachesDomain, reachesFolder } from "#lib/tenancy/reach";
import type { ListMissed, MissedCount, MissedLink, MissedPeriod } from "./schema.ts";
import { type MissedRow, suggestLinks } from "./suggestions.ts";

const exportedMax = 10_000;
const exportedAtOnce = 500;

/** Most visited first. */
export async function listMissedLinks(
  scope: WorkspaceScope,
  { page, pageSize, ...period }: ListMissed,
): Promise<MissedLink[]> {
  assertMay(scope, "analytics.read");
  const domains = await findDomains(scope, period.domain);
  return await readRows(scope, domains, period, { from: (page - 1) * pageSize, size: pageSize });
}

export async function countMissedLinks(
  scope: WorkspaceScope,
  period: MissedPeriod,
): Promise<MissedCount> {
  assertMay(scope, "analytics.read");
  const pks = [...(await findDomains(scope, period.domain)).keys()];
  const since = firstDayOf(period);
  // Answered by missed_day_pkey and missed_link_pkey.
  const row = await query.one<MissedCount>(sql`
    SELECT coalesce(sum(visits), 0)::bigint AS visits, coalesce(sum(others), 0)::bigint AS others,
      coalesce(sum(bots), 0)::bigint AS bots, (
        SELECT count(DISTINCT (domain_pk, key))
        FROM missed_link
        WHERE domain_pk = ANY(${pks}::int[])
          AND day >= ${since}
          AND workspace_pk = ${scope.workspacePk}
      ) AS links
    FROM missed_day
    WHERE domain_pk = ANY(${pks}::int[])
      AND day >= ${since}
      AND workspace_pk = ${scope.workspacePk}`);
  return row ?? { links: 0, visits: 0, others: 0, bots: 0 };
}

export async function exportMissedLinks(
  scope: WorkspaceScope,
  period: MissedPeriod,
): Promise<SentFile> {
  assertMay(scope, "analytics.read");
  const domains = await findDomains(scope, period.domain);
  async function* pages() {
    for (let from = 0; from < exportedMax; from += exportedAtOnce) {
      const rows = await readRows(scope, domains, period, { from, size: exportedAtOnce });
      yield rows;
      if (rows.length < exportedAtOnce) return;
    }
  }
  const file = recordsFile<MissedLink>({
    name: "fuxi-missed-links",
    format: "csv",
    columns: ["domain", "key", "visits", "atLeast", "lastAt", "suggestion"],
    cellsOf: ({ domain, key, visits, atLeast, lastAt, suggestion }) => {
      return [domain, key, visits, atLeast, lastAt, suggestion?.shortLink ?? null];
    },
    pages,
  });
  return withExportSlot(file);
}

/** The own domains that the actor may see: pk → host. A key limited to folders sees none, because misses are in no folder. */
async function findDomains(
  scope: WorkspaceScope,
  host: string | undefined,
): Promise<Map<number, string>> {
  // defence: missed-links-of-folder-keys
  if (!reachesFolder(scope, null)) return new Map();
  // Answered by domain_claim.
  const rows = await query<{ pk: number; slug: string }>(sql`
    SELECT pk, slug
    FROM domain
    WHERE workspace_pk = ${scope.workspacePk}
      AND slug = coalesce(${host ?? null}::text, slug)`);
  // defence: missed-links-in-reach
  const reached = rows.filter(({ pk }) => reachesDomain(scope, pk));
  return new Map(reached.map(({ pk, slug }) => [pk, slug]));
}

function firstDayOf({ days }: MissedPeriod): string {
  return new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
}

async function readRows(
  scope: WorkspaceScope,
  domains: ReadonlyMap<number, string>,
  period: MissedPeriod,
  { from, size }: { from: number; size: number },
): Promise<MissedLink[]> {
  // Answered by missed_link_pkey.
  // defence: missed-links-of-workspace
  const rows = await query<MissedRow & { visits: number; atLeast: number; lastAt: Date }>(sql`
    SELECT domain_pk AS "domainPk", key, sum(visits)::bigint AS visits,
      sum(visits - coalesce(error, 0))::bigint AS "atLeast", max(last_at) AS "lastAt"
    FROM missed_link
    WHERE domain_pk = ANY(${[...domains.keys()]}::int[])
      AND day >= ${firstDayOf(period)}
      AND workspace_pk = ${scope.workspacePk}
    GROUP BY domain_pk, key
    ORDER BY visits DESC, domain_pk, key
    LIMIT ${size}
    OFFSET ${from}`);
  const suggestions = await suggestLinks(scope, domains, rows);
  return rows.map((row, at) => ({
    domain: domains.get(row.domainPk) ?? "",
    key: row.key,
    visits: row.visits,
    atLeast: row.atLeast,
    lastAt: row.lastAt.toISOString(),
    suggestion: suggestions[at] ?? null,
  }));
}
