/**
 * Tells owners, admins and webhooks that a workspace has far more or far fewer clicks than in the same hours of the last four
 * weeks, once a day at most. Each hour a job reads the quarter hours of all workspaces that want to know.
 */
import { z } from "zod";
import { readLag } from "#lib/analytics/ingest";
import { wholeWorkspace } from "#lib/analytics/rollups";
import { slotMs, slotOf } from "#lib/analytics/time-slots";
import { dayMs, hourMs } from "#lib/basics/time/schema";
import { log } from "#lib/platform/log";
import { query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { auditEntryOf, recordAudit } from "#lib/tenancy/audit";
import { notifyManagers } from "#lib/tenancy/notifications";
import { addEvent } from "#lib/tenancy/webhook-events";
import { changeIn, usualOf } from "./judgment.ts";
import type { TrafficAlert, TrafficChange } from "./schema.ts";

const jobEveryMs = hourMs;
const hoursCompared = 3;
const weeksCompared = 4;
const weekMs = 7 * dayMs;
/** Until the clicks of a quarter hour are counted. */
const countedAfterMs = slotMs;
/** Further behind, missing clicks would look like a fall. */
const lagSecondsMax = 300;
const toldAgainHours = 24;
const batchMax = 500;
const noClicks: readonly number[] = Array(weeksCompared + 1).fill(0);

const off: TrafficAlert = { riseTimes: null, fallPercent: null };

export async function getTrafficAlert({ workspacePk }: WorkspaceScope): Promise<TrafficAlert> {
  // Uses traffic_alert_pkey.
  const row = await query.one<TrafficAlert>(sql`
    SELECT rise_times AS "riseTimes", fall_percent AS "fallPercent"
    FROM traffic_alert
    WHERE workspace_pk = ${workspacePk}`);
  return row ?? off;
}

export async function setTrafficAlert(scope: WorkspaceScope, alert: TrafficAlert): Promise<void> {
  assertMay(scope, "workspace.write");
  const { workspacePk, workspaceId } = scope;
  const { riseTimes, fallPercent } = alert;
  await transaction(async (tx) => {
    await tx.query(sql`
      INSERT INTO traffic_alert (workspace_pk, rise_times, fall_percent)
      VALUES (${workspacePk}, ${riseTimes}, ${fallPercent})
      ON CONFLICT (workspace_pk) DO UPDATE
      SET rise_times = excluded.rise_times, fall_percent = excluded.fall_percent`);
    const details = { trafficAlert: alert };
    await recordAudit(tx, [auditEntryOf(scope, "workspace.edit", workspaceId, details)]);
  });
}

interface ComparedRow extends TrafficAlert {
  workspacePk: number;
  /** The hours now, then those of one, two … weeks ago. */
  clicks: readonly number[];
}

/** Returns how many workspaces were told. Does nothing while counting is behind. */
export async function checkTraffic(now = new Date()): Promise<number> {
  const lag = await readLag();
  // defence: no-traffic-alert-behind
  if (lag.seconds > lagSecondsMax) {
    log.warn({ event: "traffic_alerts.behind", ...lag });
    return 0;
  }
  const until = slotOf(now.getTime() - countedAfterMs);
  const from = until - hoursCompared * hourMs;
  let told = 0;
  let afterPk = 0;
  while (true) {
    const rows = await compare(new Date(from), new Date(until), afterPk);
    for (const row of rows) told += (await judge(row, { from, until, now })) ? 1 : 0;
    const last = rows.at(-1);
    if (!last) return told;
    afterPk = last.workspacePk;
  }
}

/** Younger workspaces have nothing to compare with. */
async function compare(from: Date, until: Date, afterPk: number): Promise<ComparedRow[]> {
  const oldest = new Date(from.getTime() - weeksCompared * weekMs);
  // Uses traffic_alert_pkey and workspace_pkey.
  const alerts = await query<Omit<ComparedRow, "clicks">>(sql`
    SELECT alert.workspace_pk AS "workspacePk", alert.rise_times AS "riseTimes",
      alert.fall_percent AS "fallPercent"
    FROM traffic_alert AS alert
    JOIN workspace ON workspace.pk = alert.workspace_pk
    WHERE alert.workspace_pk > ${afterPk}
      AND (alert.rise_times IS NOT NULL OR alert.fall_percent IS NOT NULL)
      AND workspace.created_at <= ${oldest}
      AND workspace.deleted_at IS NULL
      AND workspace.banned_at IS NULL
    ORDER BY alert.workspace_pk
    LIMIT ${batchMax}`);
  if (alerts.length === 0) return [];
  const clicks = await countByWeek(alerts, from, until);
  return alerts.map((alert) => ({ ...alert, clicks: clicks.get(alert.workspacePk) ?? noClicks }));
}

/** Citus can’t join clicks with alerts, because they are on different servers. */
async function countByWeek(
  alerts: readonly { workspacePk: number }[],
  from: Date,
  until: Date,
): Promise<Map<number, number[]>> {
  const workspacePks = alerts.map(({ workspacePk }) => workspacePk);
  // Uses value_slot_of of the partitions of these hours.
  const rows = await query<{ workspacePk: number; ago: number; clicks: number }>(sql`
    SELECT slot.workspace_pk AS "workspacePk", week.ago, sum(slot.clicks)::int AS clicks
    FROM generate_series(0, ${weeksCompared}::int) AS week (ago)
    JOIN analytics.value_slot AS slot
      ON slot.start >= ${from}::timestamptz - make_interval(days => 7 * week.ago)
      AND slot.start < ${until}::timestamptz - make_interval(days => 7 * week.ago)
    WHERE slot.workspace_pk = ANY(${workspacePks}::int[])
      AND slot.link_pk = ${wholeWorkspace}
      AND slot.dimension = 'total'
    GROUP BY slot.workspace_pk, week.ago`);
  const counted = new Map<number, number[]>();
  for (const { workspacePk, ago, clicks } of rows) {
    const weeks = counted.get(workspacePk) ?? [...noClicks];
    weeks[ago] = clicks;
    counted.set(workspacePk, weeks);
  }
  return counted;
}

interface ComparedHours {
  from: number;
  until: number;
  now: Date;
}

async function judge(
  { workspacePk, clicks: [clicks = 0, ...before], ...alert }: ComparedRow,
  { from, until, now }: ComparedHours,
): Promise<boolean> {
  const change = changeIn(clicks, before, alert);
  if (!change) return false;
  const usual = Math.round(usualOf(before));
  return await transaction(async (tx) => {
    // defence: traffic-alert-once-a-day
    if (!(await tx.any(tellAgain(change, workspacePk, now)))) return false;
    const details = { clicks, usual, hours: hoursCompared };
    const kind = change === "rise" ? "clicks.rising" : "clicks.falling";
    await notifyManagers(tx, { workspacePk, kind, details, mail: true });
    const period = { from: new Date(from).toISOString(), until: new Date(until).toISOString() };
    await addEvent(tx, { workspacePk, type: kind, data: { clicks, usual, ...period } });
    return true;
  });
}

function tellAgain(change: TrafficChange, workspacePk: number, now: Date) {
  return change === "rise"
    ? sql`
      UPDATE traffic_alert
      SET rise_told_at = ${now}
      WHERE workspace_pk = ${workspacePk}
        AND (rise_told_at IS NULL OR rise_told_at <= ${now}::timestamptz - make_interval(hours => ${toldAgainHours}))
      RETURNING workspace_pk`
    : sql`
      UPDATE traffic_alert
      SET fall_told_at = ${now}
      WHERE workspace_pk = ${workspacePk}
        AND (fall_told_at IS NULL OR fall_told_at <= ${now}::timestamptz - make_interval(hours => ${toldAgainHours}))
      RETURNING workspace_pk`;
}

export const trafficAlertJob = defineJob({
  name: "traffic.alerts",
  schema: z.object({}),
  handle: () => checkTraffic(),
  everyMs: jobEveryMs,
});
