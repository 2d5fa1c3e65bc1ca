/**
 * Repeat visits: if a workspace turns this on, a visitor who returns to a link within some seconds
 * of a counted visit is stored as a bot of the kind `repeat`. The span starts at the last counted
 * visit, so an hour of constant reloading counts once per span. The row of that visit is locked
 * until the commit, so this holds across batches and workers, and it only changes in the
 * transaction that records the group, so a group that is delivered twice changes nothing. Visitor
 * hashes change every day (UTC), so a span ends at midnight.
 */

import { type Connection, query, sql } from "#lib/platform/postgres";
import { dayOf } from "#lib/platform/visitor-salts";
import type { Click } from "./enrich.ts";
import { arrayText } from "./text.ts";

const settingsCachedMs = 2_000;

let settings = new Map<number, number>();
let settingsUntil = 0;

async function loadSettings(now: number): Promise<Map<number, number>> {
  if (now < settingsUntil) return settings;
  // No index: few workspaces use this, and the query runs every few seconds.
  const rows = await query<{ pk: number; seconds: number }>(sql`
    SELECT pk, repeat_seconds AS seconds
    FROM workspace
    WHERE repeat_seconds IS NOT NULL`);
  settings = new Map(rows.map(({ pk, seconds }) => [pk, seconds]));
  settingsUntil = now + settingsCachedMs;
  return settings;
}

interface CountedVisit {
  day: string;
  linkPk: number;
  visitor: number;
  at: number | undefined;
}

export async function markRepeats(tx: Connection, clicks: readonly Click[]): Promise<void> {
  const spans = await loadSettings(Date.now());
  if (spans.size === 0) return;
  const strict = clicks.filter(
    ({ botKind, visitor, event }) =>
      botKind === null && visitor !== null && spans.has(event.workspacePk),
  );
  if (strict.length === 0) return;
  const known = await lockCountedVisits(tx, strict);
  // Repeats are found in order of time, but a batch is in order of its groups.
  for (const click of [...strict].sort((a, b) => a.event.at - b.event.at)) {
    const counted = known.get(nameOf(click));
    if (!counted) continue;
    const { at, workspacePk } = click.event;
    const spanMs = (spans.get(workspacePk) ?? 0) * 1_000;
    if (counted.at !== undefined && Math.abs(at - counted.at) < spanMs) click.botKind = "repeat";
    else counted.at = Math.max(at, counted.at ?? at);
  }
  await saveCountedVisits(tx, [...known.values()]);
}

function nameOf({ event, visitor }: Click): string {
  return `${dayOf(event.at)} ${event.linkPk} ${visitor}`;
}

async function lockCountedVisits(
  tx: Connection,
  clicks: readonly Click[],
): Promise<Map<string, CountedVisit>> {
  const byName = new Map<string, CountedVisit>();
  for (const click of clicks) {
    const { at, linkPk } = click.event;
    const visitor = click.visitor ?? 0;
    byName.set(nameOf(click), { day: dayOf(at), linkPk, visitor, at: undefined });
  }
  // Sorted, so that two shards cannot deadlock.
  const rows = [...byName.keys()].sort().flatMap((name) => byName.get(name) ?? []);
  // 'epoch' means that the visitor was never counted.
  const locked = await tx.query<{ name: string; at: Date }>(sql`
    INSERT INTO analytics.counted_visit (day, link_pk, visitor, at)
    SELECT day, link_pk, visitor, 'epoch'
    FROM unnest(
      ${arrayText(rows.map(({ day }) => day))}::date[],
      ${arrayText(rows.map(({ linkPk }) => linkPk))}::bigint[],
      ${arrayText(rows.map(({ visitor }) => visitor))}::bigint[]
    ) AS new (day, link_pk, visitor)
    ON CONFLICT (day, link_pk, visitor) DO UPDATE
    SET at = counted_visit.at
    RETURNING concat_ws(' ', day, link_pk, visitor) AS name, at`);
  for (const { name, at } of locked) {
    const counted = byName.get(name);
    if (counted && at.getTime() > 0) counted.at = at.getTime();
  }
  return byName;
}

async function saveCountedVisits(tx: Connection, rows: readonly CountedVisit[]): Promise<void> {
  const saved = rows.filter(({ at }) => at !== undefined);
  // Answered by counted_visit_pkey.
  await tx.query(sql`
    UPDATE analytics.counted_visit AS kept
    SET at = to_timestamp(new.at / 1000.0)
    FROM unnest(
      ${arrayText(saved.map(({ day }) => day))}::date[],
      ${arrayText(saved.map(({ linkPk }) => linkPk))}::bigint[],
      ${arrayText(saved.map(({ visitor }) => visitor))}::bigint[],
      ${arrayText(saved.map(({ at }) => at))}::bigint[]
    ) AS new (day, link_pk, visitor, at)
    WHERE kept.day = new.day
      AND kept.link_pk = new.link_pk
      AND kept.visitor = new.visitor`);
}
