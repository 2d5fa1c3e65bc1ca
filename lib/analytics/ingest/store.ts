/** Named statements: planning them for each batch took a tenth of PostgreSQL’s time. */
import { clickColumns } from "#lib/analytics/dimensions/schema";
import { addContactVisits } from "#lib/audience/contacts";
import type { MarkedVisit } from "#lib/audience/contacts/schema";
import { type Connection, copyField, copyRows, sql } from "#lib/platform/postgres";
import { idsIn } from "#lib/redirect/clicks";
import type { Click } from "./enrich.ts";
import type { GroupId } from "./entries.ts";
import { markRepeats } from "./repeats.ts";
import { arrayText, clean } from "./text.ts";
import { claimVisitors, type FirstVisits } from "./visitors.ts";
import { recordClicks } from "./webhooks.ts";

const userAgentMax = 1_024;
const rowsPerPart = 500;
const deadTextMax = 8_192;

/** Locks a shard until the commit. False if another worker has it. */
export async function lockShard(tx: Connection, shard: number): Promise<boolean> {
  await tx.query({
    ...sql`INSERT INTO analytics.shard (shard) VALUES (${shard}) ON CONFLICT (shard) DO NOTHING`,
    name: "ingest.shard",
  });
  return await tx.any({
    ...sql`
    SELECT shard
    FROM analytics.shard
    WHERE shard = ${shard}
    FOR UPDATE SKIP LOCKED`,
    name: "ingest.lock",
  });
}

/** Records groups as counted. Returns the names of new ones. */
export async function claimGroups(
  tx: Connection,
  groups: readonly GroupId[],
): Promise<Set<string>> {
  // One text in each direction instead of a value per group. Needs no quotes, because a producer is a UUID.
  const [row] = await tx.query<{ fresh: string | null }>({
    ...sql`
    WITH fresh AS (
      INSERT INTO analytics.click_group (producer, number)
      SELECT *
      FROM unnest(
        ${arrayText(groups.map((group) => group.producer))}::uuid[],
        ${arrayText(groups.map((group) => group.number))}::bigint[]
      )
      ON CONFLICT (producer, number) DO NOTHING
      RETURNING producer, number
    )
    SELECT string_agg(producer || ':' || number, ',') AS fresh
    FROM fresh`,
    name: "ingest.groups",
  });
  return new Set(row?.fresh?.split(","));
}

export function nameOfGroup({ producer, number }: GroupId): string {
  return `${producer}:${number}`;
}

export async function insertClicks(tx: Connection, clicks: readonly Click[]): Promise<void> {
  if (clicks.length === 0) return;
  await markRepeats(tx, clicks);
  const first = await claimVisitors(tx, clicks);
  await insertRaw(tx, clicks, first);
  await addToStats(tx, clicks, first);
  await recordClicks(tx, clicks);
  await addContactVisits(tx, clicks.flatMap(contactVisitOf));
  // Last, because rolling and other shards wait for these rows.
  await touchSlots(tx, clicks);
}

function contactVisitOf({ event, id, botKind }: Click): MarkedVisit[] {
  const { contact } = idsIn(event.flags);
  if (contact === undefined || botKind !== null) return [];
  const { workspacePk, linkPk } = event;
  return [{ contact, workspacePk, linkPk, at: new Date(event.at), clickId: id }];
}

const rawColumns = `at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
  first_of_workspace, id, visitor, ${clickColumns.join(", ")}, ua, bot_kind`;

export async function insertRaw(
  tx: Connection,
  clicks: readonly Click[],
  first: FirstVisits,
): Promise<void> {
  await copyRows(tx, `analytics.click (${rawColumns})`, partsOf(clicks, first));
}

function* partsOf(clicks: readonly Click[], first: FirstVisits): Generator<string> {
  for (let from = 0; from < clicks.length; from += rowsPerPart) {
    let lines = "";
    for (const [at, click] of clicks.slice(from, from + rowsPerPart).entries()) {
      lines += lineOf(click, first.link[from + at] ?? false, first.workspace[from + at] ?? false);
    }
    yield lines;
  }
}

function lineOf(click: Click, firstOfLink: boolean, firstOfWorkspace: boolean): string {
  const { event } = click;
  return `${[
    new Date(event.at).toISOString(),
    event.linkPk,
    event.workspacePk,
    event.domainPk,
    click.botKind !== null,
    click.qr,
    firstOfLink,
    firstOfWorkspace,
    click.id,
    click.visitor ?? "\\N",
    ...clickColumns.map((name) => copyField(click[name])),
    copyField(clean(event.userAgent, userAgentMax)),
    copyField(click.botKind),
  ].join("\t")}\n`;
}

interface Stat {
  workspacePk: number;
  clicks: number;
  visitors: number;
  scans: number;
  bots: number;
  first: number;
  last: number;
}

export async function addToStats(
  tx: Connection,
  clicks: readonly Click[],
  first: FirstVisits,
): Promise<void> {
  const stats = new Map<number, Stat>();
  clicks.forEach((click, at) => {
    const { linkPk, workspacePk, at: time } = click.event;
    let stat = stats.get(linkPk);
    if (!stat) {
      stat = { workspacePk, clicks: 0, visitors: 0, scans: 0, bots: 0, first: Infinity, last: 0 };
      stats.set(linkPk, stat);
    }
    if (click.botKind !== null) stat.bots += 1;
    else {
      stat.clicks += 1;
      if (click.qr) stat.scans += 1;
      if (first.link[at]) stat.visitors += 1;
      stat.first = Math.min(stat.first, time);
      stat.last = Math.max(stat.last, time);
    }
  });
  // Sorted, so that two shards cannot deadlock.
  const rows = [...stats].sort(([a], [b]) => a - b);
  const each = (of: (stat: Stat) => number | string) => arrayText(rows.map(([, stat]) => of(stat)));
  await tx.query({
    ...sql`
    INSERT INTO link_stat (
      link_pk, workspace_pk, clicks, visitors, scans, bots, first_click_at, last_click_at
    )
    SELECT link_pk, workspace_pk, clicks, visitors, scans, bots, to_timestamp(first / 1000.0),
      to_timestamp(last / 1000.0)
    FROM unnest(
      ${arrayText(rows.map(([pk]) => pk))}::bigint[],
      ${each((stat) => stat.workspacePk)}::int[],
      ${each((stat) => stat.clicks)}::bigint[],
      ${each((stat) => stat.visitors)}::bigint[],
      ${each((stat) => stat.scans)}::bigint[],
      ${each((stat) => stat.bots)}::bigint[],
      ${each((stat) => (stat.last === 0 ? "NULL" : stat.first))}::bigint[],
      ${each((stat) => stat.last || "NULL")}::bigint[]
    ) AS new (link_pk, workspace_pk, clicks, visitors, scans, bots, first, last)
    ON CONFLICT (link_pk) DO UPDATE
    SET clicks = link_stat.clicks + EXCLUDED.clicks,
        visitors = link_stat.visitors + EXCLUDED.visitors,
        scans = link_stat.scans + EXCLUDED.scans,
        bots = link_stat.bots + EXCLUDED.bots,
        first_click_at = CASE
          WHEN link_stat.clicks = 0 OR link_stat.first_click_at IS NOT NULL
          THEN least(link_stat.first_click_at, EXCLUDED.first_click_at)
        END,
        last_click_at = greatest(link_stat.last_click_at, EXCLUDED.last_click_at)`,
    name: "ingest.stats",
  });
}

async function touchSlots(tx: Connection, clicks: readonly Click[]): Promise<void> {
  const slots = new Map(
    clicks.map((click) => [`${click.event.workspacePk} ${click.slot}`, click] as const),
  );
  const rows = [...slots.values()].sort(
    (a, b) => a.event.workspacePk - b.event.workspacePk || a.slot - b.slot,
  );
  await tx.query({
    ...sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT *
    FROM unnest(
      ${rows.map((click) => click.event.workspacePk)}::int[],
      ${rows.map((click) => new Date(click.slot))}::timestamptz[]
    )
    ON CONFLICT (workspace_pk, slot) DO UPDATE
    SET marks = touched_slot.marks + 1`,
    name: "ingest.slots",
  });
}

export async function insertDead(
  tx: Connection,
  dead: readonly { reason: string; event: string }[],
): Promise<void> {
  if (dead.length === 0) return;
  await tx.query(sql`
    INSERT INTO analytics.dead_click (reason, event)
    SELECT *
    FROM unnest(
      ${dead.map(({ reason }) => clean(reason, deadTextMax) ?? "")}::text[],
      ${dead.map(({ event }) => clean(event, deadTextMax) ?? "")}::text[]
    )`);
}
