/** The visits of domains in in-app browsers, day by day, from rolled days. */
import { wholeWorkspace } from "#lib/analytics/rollups";
import { query, sql } from "#lib/platform/postgres";
import { type AppName, appLabel, appNames } from "#lib/platform/request-info/schema";
import { type DayVisits, testedDays } from "./share-test.ts";

/** Clicks store the English names of apps. */
const appsByLabel = new Map(appNames.map((name) => [appLabel(name, "en"), name]));

export interface WorkspaceDay {
  /** The last day that is over in the zone of the workspace, as 2026-11-25. */
  day: string;
  /** Whether all of its clicks are counted, and those of the days before it. */
  isCounted: boolean;
}

/** Undefined: the workspace was deleted. */
export async function findLastDay(
  workspacePk: number,
  now: Date,
): Promise<WorkspaceDay | undefined> {
  // Answered by workspace_pkey, touched_slot_pkey and touched_day_pkey.
  return await query.one<WorkspaceDay>(sql`
    WITH waiting AS MATERIALIZED (
      SELECT min(slot) AS first
      FROM analytics.touched_slot
      WHERE workspace_pk = ${workspacePk}
    )
    SELECT
      to_char((${now}::timestamptz AT TIME ZONE workspace.zone)::date - 1, 'YYYY-MM-DD') AS day,
      coalesce(
        waiting.first >= date_trunc('day', ${now}::timestamptz, workspace.zone),
        true
      ) AND NOT EXISTS (
        SELECT
        FROM analytics.touched_day
        WHERE touched_day.workspace_pk = workspace.pk
          AND touched_day.until <= date_trunc('day', ${now}::timestamptz, workspace.zone)
      ) AS "isCounted"
    FROM workspace
    CROSS JOIN waiting
    WHERE workspace.pk = ${workspacePk}`);
}

/** The days of each app that visited a domain, oldest first and `day` last. */
export type AppVisits = ReadonlyMap<AppName, readonly DayVisits[]>;

interface VisitRow {
  domainPk: number;
  label: string;
  /** Days before the last one. */
  ago: number;
  clicks: number;
}

/** By domain. A domain without visits is missing. Days before a host was claimed under its name do not count. */
export async function loadVisits(
  workspacePk: number,
  domainPks: readonly number[],
  day: string,
): Promise<Map<number, AppVisits>> {
  // Answered by value_day_of: all domains of the workspace, whose values are few.
  const rows = await query<VisitRow>(sql`
    SELECT
      domain.pk AS "domainPk",
      split_part(kept.value, '/', 2) AS label,
      ${day}::date - local.day AS ago,
      sum(kept.clicks)::int AS clicks
    FROM analytics.value_day AS kept
    JOIN workspace ON workspace.pk = kept.workspace_pk
    JOIN domain ON domain.pk::text = split_part(kept.value, '/', 1)
    CROSS JOIN LATERAL (
      SELECT ((kept.start + interval '12 hours') AT TIME ZONE workspace.zone)::date AS day
    ) AS local
    WHERE kept.workspace_pk = ${workspacePk}
      AND kept.link_pk = ${wholeWorkspace}
      AND kept.dimension = 'domain_app'
      AND kept.start >= (${day}::date - ${testedDays + 1}::int)::timestamptz
      AND domain.pk = ANY(${domainPks}::int[])
      AND local.day > ${day}::date - ${testedDays}::int
      AND local.day <= ${day}::date
      AND local.day >= (domain.claimed_at AT TIME ZONE workspace.zone)::date
    GROUP BY domain.pk, label, ago`);
  const visited = new Set(rows.map(({ domainPk }) => domainPk));
  return new Map(
    [...visited].map((pk) => [pk, daysOf(rows.filter(({ domainPk }) => domainPk === pk))]),
  );
}

function daysOf(rows: readonly VisitRow[]): AppVisits {
  const visits = new Array<number>(testedDays).fill(0);
  const inApps = new Map<AppName, number[]>();
  for (const { label, ago, clicks } of rows) {
    const at = testedDays - 1 - ago;
    visits[at] = (visits[at] ?? 0) + clicks;
    const app = appsByLabel.get(label);
    if (!app) continue;
    const inApp = inApps.get(app) ?? new Array<number>(testedDays).fill(0);
    inApp[at] = (inApp[at] ?? 0) + clicks;
    inApps.set(app, inApp);
  }
  return new Map(
    [...inApps].map(([app, inApp]) => [
      app,
      visits.map((count, at) => ({ visits: count, inApp: inApp[at] ?? 0 })),
    ]),
  );
}
