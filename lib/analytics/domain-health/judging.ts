/** Compares the visits of domains in in-app browsers, once for each whole day, and raises and ends alarms. */

import { dayMs } from "#lib/basics/time/schema";
import { type Connection, transaction } from "#lib/platform/postgres";
import type { AppName } from "#lib/platform/request-info/schema";
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
import { type AppVisits, findLastDay, loadVisits } from "./visits.ts";

/** Smaller p values are not written out. */
const oneInMax = 1_000_000_000;

/** Judges the domains of a workspace. Days that are not counted yet wait for the next run. */
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

/** A power of ten that the p value is below. */
function oneInOf(logP: number): AlarmEvidence["oneIn"] {
  return Math.min(oneInMax, 10 ** Math.floor(-logP / Math.LN10));
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}

function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}
