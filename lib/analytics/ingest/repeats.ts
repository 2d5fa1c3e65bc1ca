/**
 * Repetitions: where a workspace wants it, a visitor who comes to a link again within some seconds of a visit that counted
 * is set apart as a bot of the kind `repeat`. What counts is when the visitor last counted, not when they last came: who
 * reloads for an hour counts once in every span.
 *
 * The last visit that counted is a row that is locked until the batch is committed, so this holds across batches and
 * workers; and it changes only in the transaction that notes the group, so it holds when a group is delivered twice.
 * Visitors have another name every day (UTC), so a span ends at midnight.
 */

import { type Connection, query, sql } from "#lib/platform/postgres";
import { dayOf } from "#lib/platform/visitor-salts";
import type { Click } from "./enrich.ts";

const settingsRememberedMs = 2_000;

let settings = new Map<number, number>();
let settingsUntil = 0;

/** Seconds by workspace, of those that want it. */
async function loadSettings(now: number): Promise<Map<number, number>> {
  if (now < settingsUntil) return settings;
  // Few workspaces want this, and this is asked every few seconds: no index.
  const rows = await query<{ pk: number; seconds: number }>(
    sql`
      SELECT pk, repeat_seconds AS seconds
      FROM workspace
      WHERE repeat_seconds IS NOT NULL`,
  );
  settings = new Map(rows.map(({ pk, seconds }) => [pk, seconds]));
  settingsUntil = now + settingsRememberedMs;
  return settings;
}

interface Counted {
  day: string;
  linkPk: number;
  visitor: number;
  /** In milliseconds; undefined when this visitor has not counted yet. */
  at: number | undefined;
}

/** Sets repetitions apart. */
export async function markRepeats(tx: Connection, clicks: readonly Click[]): Promise<void> {
  const spans = await loadSettings(Date.now());
  if (spans.size === 0) return;
  const strict = clicks.filter(
    ({ botKind, visitor, event }) =>
      botKind === null && visitor !== null && spans.has(event.workspacePk),
  );
  if (strict.length === 0) return;
  const known = await lockCounted(tx, strict);
  // The order of a batch is that of its groups; what counts is the order in which people came.
  for (const click of [...strict].sort((a, b) => a.event.at - b.event.at)) {
    const counted = known.get(nameOf(click));
    if (!counted) continue;
    const { at, workspacePk } = click.event;
    const spanMs = (spans.get(workspacePk) ?? 0) * 1_000;
    if (counted.at !== undefined && Math.abs(at - counted.at) < spanMs) click.botKind = "repeat";
    else counted.at = Math.max(at, counted.at ?? at);
  }
  await saveCounted(tx, [...known.values()]);
}

function nameOf({ event, visitor }: Click): string {
  return `${dayOf(event.at)} ${event.linkPk} ${visitor}`;
}

/** The last visit of each visitor that counted, locked; made for those who have none. */
async function lockCounted(
  tx: Connection,
  clicks: readonly Click[],
): Promise<Map<string, Counted>> {
  const byName = new Map<string, Counted>();
  for (const click of clicks) {
    const { at, linkPk } = click.event;
    const visitor = click.visitor ?? 0;
    byName.set(nameOf(click), { day: dayOf(at), linkPk, visitor, at: undefined });
  }
  // Sorted, so that two shards never wait for each other in a circle.
  const rows = [...byName.keys()].sort().flatMap((name) => byName.get(name) ?? []);
  // A new row says that its visitor never counted: long before any click.
  const locked = await query<{ name: string; at: Date }>(
    sql`
      INSERT INTO analytics.counted_visit (day, link_pk, visitor, at)
      SELECT day, link_pk, visitor, 'epoch'
      FROM unnest(
        ${column(rows.map(({ day }) => day))}::date[],
        ${column(rows.map(({ linkPk }) => linkPk))}::bigint[],
        ${column(rows.map(({ visitor }) => visitor))}::bigint[]
      ) AS new (day, link_pk, visitor)
      ON CONFLICT (day, link_pk, visitor) DO UPDATE
      SET at = counted_visit.at
      RETURNING concat_ws(' ', day, link_pk, visitor) AS name, at`,
    tx,
  );
  for (const { name, at } of locked) {
    const counted = byName.get(name);
    if (counted && at.getTime() > 0) counted.at = at.getTime();
  }
  return byName;
}

async function saveCounted(tx: Connection, rows: readonly Counted[]): Promise<void> {
  const saved = rows.filter(({ at }) => at !== undefined);
  // Answered by counted_visit_pkey.
  await query(
    sql`
      UPDATE analytics.counted_visit AS kept
      SET at = to_timestamp(new.at / 1000.0)
      FROM unnest(
        ${column(saved.map(({ day }) => day))}::date[],
        ${column(saved.map(({ linkPk }) => linkPk))}::bigint[],
        ${column(saved.map(({ visitor }) => visitor))}::bigint[],
        ${column(saved.map(({ at }) => at))}::bigint[]
      ) AS new (day, link_pk, visitor, at)
      WHERE kept.day = new.day
        AND kept.link_pk = new.link_pk
        AND kept.visitor = new.visitor`,
    tx,
  );
}

function column(values: readonly (string | number | undefined)[]): string {
  return `{${values.join(",")}}`;
}
