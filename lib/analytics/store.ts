/** The SQL of ingest and rollups. */
import { type Connection, query, sql } from "#lib/postgres";
import type { Click } from "./enrich.ts";

/** Locks a shard for this transaction; false when another worker reads it. */
export async function lockShard(tx: Connection, shard: number): Promise<boolean> {
  await query(
    sql`INSERT INTO analytics.shard (shard) VALUES (${shard}) ON CONFLICT (shard) DO NOTHING`,
    tx,
  );
  const locked = await query(
    sql`
      SELECT shard
      FROM analytics.shard
      WHERE shard = ${shard}
      FOR UPDATE SKIP LOCKED`,
    tx,
  );
  return locked.length > 0;
}

export interface GroupId {
  producer: string;
  number: number;
}

/** Notes groups as counted. Returns those that were not counted before. */
export async function claimGroups(
  tx: Connection,
  groups: readonly GroupId[],
): Promise<Set<string>> {
  const fresh = await query<GroupId>(
    sql`
      INSERT INTO analytics.click_group (producer, number)
      SELECT *
      FROM unnest(
        ${groups.map((group) => group.producer)}::uuid[],
        ${groups.map((group) => group.number)}::bigint[]
      )
      ON CONFLICT (producer, number) DO NOTHING
      RETURNING producer, number`,
    tx,
  );
  return new Set(fresh.map(({ producer, number }) => `${producer}:${number}`));
}

function dayOfClick(click: Click): string {
  return new Date(click.event.at).toISOString().slice(0, 10);
}

/**
 * Writes clicks with everything that follows from them. `first` says, per click, whether its visitor was seen for the
 * first time that day on the link and in the workspace.
 */
export async function insertClicks(tx: Connection, clicks: readonly Click[]): Promise<void> {
  if (clicks.length === 0) return;
  const first = await claimVisitors(tx, clicks);
  await insertRaw(tx, clicks, first);
  await addToStats(tx, clicks, first);
  await touchSlots(tx, clicks);
}

/** Which clicks were their visitor's first of the day, on the link and in the workspace. */
export interface First {
  link: boolean[];
  workspace: boolean[];
}

/** Stands for a link where a visitor was seen in the workspace. Not 0: that is the pk of the first link of all. */
const wholeWorkspace = -1;

/** Bots are no visitors, and a click without an address has none. */
async function claimVisitors(tx: Connection, clicks: readonly Click[]): Promise<First> {
  const link = await claimSeen(tx, clicks, (click) => click.event.linkPk);
  const workspace = await claimSeen(tx, clicks, () => wholeWorkspace);
  return { link, workspace };
}

async function claimSeen(
  tx: Connection,
  clicks: readonly Click[],
  linkOf: (click: Click) => number,
): Promise<boolean[]> {
  const names = clicks.map((click) =>
    click.visitor === null || click.bot
      ? undefined
      : `${dayOfClick(click)} ${click.event.workspacePk} ${linkOf(click)} ${click.visitor}`,
  );
  const wanted = [...new Set(names.filter((name) => name !== undefined))].sort();
  if (wanted.length === 0) return clicks.map(() => false);
  const parts = wanted.map((name) => name.split(" "));
  const fresh = await query<{ name: string }>(
    sql`
      INSERT INTO analytics.visitor (day, workspace_pk, link_pk, visitor)
      SELECT *
      FROM unnest(
        ${parts.map(([day]) => day)}::date[],
        ${parts.map(([, workspace]) => workspace)}::int[],
        ${parts.map(([, , linkPk]) => linkPk)}::bigint[],
        ${parts.map(([, , , visitor]) => visitor)}::bigint[]
      )
      ON CONFLICT DO NOTHING
      RETURNING concat_ws(' ', day, workspace_pk, link_pk, visitor) AS name`,
    tx,
  );
  const unseen = new Set(fresh.map(({ name }) => name));
  // Only the first click of a batch is the visitor's first.
  return names.map((name) => name !== undefined && unseen.delete(name));
}

export async function insertRaw(
  tx: Connection,
  clicks: readonly Click[],
  first: First,
): Promise<void> {
  const rows = clicks.map((click, at) => ({
    at: new Date(click.event.at).toISOString(),
    link_pk: click.event.linkPk,
    workspace_pk: click.event.workspacePk,
    domain_pk: click.event.domainPk,
    bot: click.bot,
    qr: click.qr,
    first_of_link: first.link[at] ?? false,
    first_of_workspace: first.workspace[at] ?? false,
    id: click.id,
    visitor: click.visitor,
    continent: click.continent,
    country: click.country,
    region: click.region,
    city: click.city,
    device: click.device,
    browser: click.browser,
    os: click.os,
    language: click.language,
    referer: click.referer,
    referer_url: click.refererUrl,
    ...click.utm,
    url: click.event.url || null,
    ua: click.event.userAgent || null,
  }));
  await query(
    sql`
      INSERT INTO analytics.click
      SELECT *
      FROM jsonb_populate_recordset(NULL::analytics.click, ${JSON.stringify(rows)}::jsonb)`,
    tx,
  );
}

export async function addToStats(
  tx: Connection,
  clicks: readonly Click[],
  first: First,
): Promise<void> {
  const stats = new Map<number, { workspace: number; counts: number[]; last: number }>();
  clicks.forEach((click, at) => {
    const { linkPk, workspacePk } = click.event;
    const stat = stats.get(linkPk) ?? { workspace: workspacePk, counts: [0, 0, 0, 0], last: 0 };
    const person = click.bot ? 0 : 1;
    const added = [person, first.link[at] ? 1 : 0, click.qr ? person : 0, 1 - person];
    stat.counts = stat.counts.map((count, which) => count + (added[which] ?? 0));
    if (person) stat.last = Math.max(stat.last, click.event.at);
    stats.set(linkPk, stat);
  });
  // Sorted, so that two shards never wait for each other in a circle.
  const rows = [...stats].sort(([a], [b]) => a - b);
  const column = (which: number) => rows.map(([, stat]) => stat.counts[which] ?? 0);
  await query(
    sql`
      INSERT INTO link_stat (link_pk, workspace_pk, clicks, visitors, scans, bots, last_click_at)
      SELECT link_pk, workspace_pk, clicks, visitors, scans, bots, last_click_at
      FROM unnest(
        ${rows.map(([pk]) => pk)}::bigint[],
        ${rows.map(([, stat]) => stat.workspace)}::int[],
        ${column(0)}::bigint[],
        ${column(1)}::bigint[],
        ${column(2)}::bigint[],
        ${column(3)}::bigint[],
        ${rows.map(([, stat]) => (stat.last ? new Date(stat.last) : null))}::timestamptz[]
      ) AS new (link_pk, workspace_pk, clicks, visitors, scans, bots, last_click_at)
      ON CONFLICT (link_pk) DO UPDATE
      SET clicks = link_stat.clicks + EXCLUDED.clicks,
          visitors = link_stat.visitors + EXCLUDED.visitors,
          scans = link_stat.scans + EXCLUDED.scans,
          bots = link_stat.bots + EXCLUDED.bots,
          last_click_at = greatest(link_stat.last_click_at, EXCLUDED.last_click_at)`,
    tx,
  );
}

async function touchSlots(tx: Connection, clicks: readonly Click[]): Promise<void> {
  const slots = new Map(
    clicks.map((click) => [`${click.event.workspacePk} ${click.slot}`, click] as const),
  );
  const rows = [...slots.values()].sort(
    (a, b) => a.event.workspacePk - b.event.workspacePk || a.slot - b.slot,
  );
  await query(
    sql`
      INSERT INTO analytics.touched_slot (workspace_pk, slot)
      SELECT *
      FROM unnest(
        ${rows.map((click) => click.event.workspacePk)}::int[],
        ${rows.map((click) => new Date(click.slot))}::timestamptz[]
      )
      ON CONFLICT (workspace_pk, slot) DO UPDATE
      SET marks = touched_slot.marks + 1`,
    tx,
  );
}

/** Keeps what could not be counted, without any address. */
export async function insertDead(
  tx: Connection,
  dead: readonly { reason: string; event: string }[],
): Promise<void> {
  if (dead.length === 0) return;
  await query(
    sql`
      INSERT INTO analytics.dead_click (reason, event)
      SELECT *
      FROM unnest(
        ${dead.map(({ reason }) => reason)}::text[],
        ${dead.map(({ event }) => event)}::text[]
      )`,
    tx,
  );
}
