/** Compares each whole day of visits in in-app browsers, and raises and ends alarms. */

import { wholeWorkspace } from "#lib/analytics/rollups";
import { dayMs } from "#lib/basics/time/schema";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type AppName, appLabel, appNames } from "#lib/platform/request-info/schema";
import {
  endAlarm,
  endRecovered,
  listOpen,
  type NewAlarm,
  type OpenAlarm,
  raise,
} from "./alarms.ts";
import type { AlarmEvidence, AppShare } from "./schema.ts";
import {
  type DayVisits,
  type Evidence,
  hasRecovered,
  isTestable,
  judgeShare,
  testedDays,
} from "./share-test.ts";
import { type DueDomain, lockHealth, saveShares } from "./store.ts";

const oneInMax = 1_000_000_000;

/** Days that are not counted yet wait for the next run. */
export async function judgeDomains(
  workspacePk: number,
  domains: readonly DueDomain[],
  now: Date,
): Promise<void> {
  const last = await findLastDay(workspacePk, now);
  if (!last?.isCounted) return;
  const pks = domains.map(({ pk }) => pk);
  const visits = await loadVisits(workspacePk, pks, last.day);
  for (const domain of domains) {
    await judgeDomain(domain, visits.get(domain.pk) ?? new Map(), { day: last.day, now });
  }
}

interface Judged {
  day: string;
  now: Date;
}

interface Fallen {
  app: AppName;
  evidence: Evidence;
  logP: number;
}

function judgeDomain(domain: DueDomain, visits: AppVisits, judged: Judged): Promise<void> {
  return transaction(async (tx) => {
    const health = await lockHealth(tx, domain);
    // Another worker was here, or this is the second run of the day.
    if (!health || (health.judgedDay ?? "") >= judged.day) return;
    const { shares, fallen } = compareApps(visits);
    const open = await listOpen(tx, domain.pk);
    await endAlarms(tx, domain, { open, visits, judged });
    const known = new Set(open.map(({ app }) => app));
    for (const one of fallen.filter(({ app }) => !known.has(app))) {
      await raise(tx, domain, alarmOf(one, judged), judged.now);
    }
    await saveShares(tx, domain.pk, shares, judged);
  });
}

interface OpenAlarms {
  open: readonly OpenAlarm[];
  visits: AppVisits;
  judged: Judged;
}

async function endAlarms(
  tx: Connection,
  domain: DueDomain,
  { open, visits, judged }: OpenAlarms,
): Promise<void> {
  for (const alarm of open) {
    const end = endOf(alarm, visits.get(alarm.app) ?? [], judged);
    if (end === "recovered") await endRecovered(tx, domain, alarm, judged.now);
    if (end === "outdated") await endAlarm(tx, alarm.pk, judged.now);
  }
}

function alarmOf({ app, evidence, logP }: Fallen, { day }: Judged): NewAlarm {
  const since = dayBefore(day, evidence.days - 1);
  const shown = { ...evidence, until: day, oneIn: oneInOf(logP) };
  return { app, source: "visits", since, evidence: shown };
}

function compareApps(visits: AppVisits): { shares: AppShare[]; fallen: Fallen[] } {
  const tested = [...visits].filter(([, days]) => isTestable(days));
  const shares: AppShare[] = [];
  const fallen: Fallen[] = [];
  for (const [app, days] of tested) {
    const verdict = judgeShare(days, tested.length);
    if (verdict.kind === "few") continue;
    const { kind, evidence } = verdict;
    shares.push({ app, state: kind, ...evidence });
    if (kind === "fallen") fallen.push({ app, evidence, logP: verdict.logP });
  }
  return { shares: shares.toSorted((a, b) => b.inAppBefore - a.inAppBefore), fallen };
}

/** Only days after those of the alarm can show that visits are back. */
function endOf(
  { source, dismissedAt, evidence }: OpenAlarm,
  days: readonly DayVisits[],
  { day, now }: Judged,
): "recovered" | "outdated" | undefined {
  if (source !== "visits" || !evidence) return undefined;
  const later = daysBetween(evidence.until, day);
  if (later > 0 && hasRecovered(days.slice(-later), evidence.shareBefore)) return "recovered";
  const isOld = dismissedAt && now.getTime() - dismissedAt.getTime() > testedDays * dayMs;
  return isOld ? "outdated" : undefined;
}

/** Rounds a p value to a power of ten: 0.004 becomes one in 100. */
function oneInOf(logP: number): AlarmEvidence["oneIn"] {
  return Math.min(oneInMax, 10 ** Math.floor(-logP / Math.LN10));
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}

function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

const appsByLabel = new Map(appNames.map((name) => [appLabel(name, "en"), name]));

interface WorkspaceDay {
  /** The last complete day in the time zone of the workspace, such as 2026-11-25. */
  day: string;
  isCounted: boolean;
}

async function findLastDay(workspacePk: number, now: Date): Promise<WorkspaceDay | undefined> {
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

type AppVisits = ReadonlyMap<AppName, readonly DayVisits[]>;

interface VisitRow {
  domainPk: number;
  label: string;
  ago: number;
  clicks: number;
}

/** Visits by domain, since the day on which the domain was claimed under its current name. */
async function loadVisits(
  workspacePk: number,
  domainPks: readonly number[],
  day: string,
): Promise<Map<number, AppVisits>> {
  // Answered by value_day_of: all domains of the workspace, whose values are few.
  const rows = await query<VisitRow>(sql`
    SELECT
      domain.pk AS "domainPk", split_part(kept.value, '/', 2) AS label,
      ${day}::date - local.day AS ago, sum(kept.clicks)::int AS clicks
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
