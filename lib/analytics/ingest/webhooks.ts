/** Webhook events about clicks of people, in the transaction that counts them. */
import { presentClick } from "#lib/analytics/reports";
import { parseId, presentId } from "#lib/basics/ids";
import type { Link } from "#lib/links/fields/schema";
import { findByPks, presentFound } from "#lib/links/presenting";
import { slicesOf } from "#lib/platform/batches";
import { type Connection, sql } from "#lib/platform/postgres";
import {
  addEvents,
  type Listener,
  listListening,
  type NewEvent,
} from "#lib/tenancy/webhook-events";
import type { Click } from "./enrich.ts";

const clicksPerEvent = 100;

export async function recordClicks(tx: Connection, clicks: readonly Click[]): Promise<void> {
  const groups = new Map<number, Click[]>();
  for (const click of clicks) {
    if (click.botKind !== null) continue;
    const group = groups.get(click.event.workspacePk) ?? [];
    groups.set(click.event.workspacePk, group);
    group.push(click);
  }
  if (groups.size === 0) return;
  const listening = await listListening(
    tx,
    [...groups.keys()],
    ["link.clicked", "link.clicks", "campaign.clicked"],
  );
  for (const [workspacePk, listener] of listening) {
    const own = groups.get(workspacePk) ?? [];
    await addEvents(tx, await eventsOf(tx, { workspacePk, ...listener }, own));
  }
}

async function eventsOf(
  tx: Connection,
  { workspacePk, workspaceId, types }: Listener & { workspacePk: number },
  clicks: readonly Click[],
): Promise<NewEvent[]> {
  const pks = [...new Set(clicks.map(({ event }) => event.linkPk))];
  const rows = await findByPks(workspacePk, pks, tx);
  const presented = await presentFound({ workspaceId }, rows, tx);
  const links = new Map(rows.map(({ pk }, at) => [pk, presented[at]]));
  const firsts = firstClicks(clicks, await loadTotals(tx, pks));
  const told = clicks.flatMap((click) => {
    const link = links.get(click.event.linkPk);
    if (!link) return [];
    const { at, userAgent: ua } = click.event;
    const shown = presentClick({ ...click, at: new Date(at), ua }, link.url);
    return [{ click: shown, link, first: firsts.has(click) }];
  });
  return [
    ...(types.has("link.clicked")
      ? told.map((data) => {
          return { workspacePk, type: "link.clicked" as const, linkId: data.link.id, data };
        })
      : []),
    ...(types.has("campaign.clicked") ? await campaignEvents(tx, workspacePk, told) : []),
    ...(types.has("link.clicks")
      ? [...slicesOf(told, clicksPerEvent)].map((clicks) => {
          return { workspacePk, type: "link.clicks" as const, data: { clicks } };
        })
      : []),
  ];
}

/** Read only if a webhook needs it, because returning it from every count cost 2 µs a click. */
async function loadTotals(
  tx: Connection,
  pks: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // Answered by link_stat_pkey.
  const rows = await tx.query<{ link_pk: number; clicks: number }>(sql`
    SELECT link_pk, clicks
    FROM link_stat
    WHERE link_pk = ANY(${pks}::bigint[])`);
  return new Map(rows.map(({ link_pk, clicks }) => [link_pk, clicks]));
}

function firstClicks(
  clicks: readonly Click[],
  totals: ReadonlyMap<number, number>,
): ReadonlySet<Click> {
  const firsts = new Map<number, { click: Click; count: number }>();
  for (const click of clicks) {
    const known = firsts.get(click.event.linkPk);
    const isEarlier = !known || click.event.at < known.click.event.at;
    firsts.set(click.event.linkPk, {
      click: isEarlier ? click : known.click,
      count: (known?.count ?? 0) + 1,
    });
  }
  return new Set(
    [...firsts].flatMap(([pk, { click, count }]) => (totals.get(pk) === count ? [click] : [])),
  );
}

interface ToldClick {
  click: object;
  link: Link;
  /** Also the recipient’s first click, because a recipient has only this link in the campaign. */
  first: boolean;
}

interface RecipientRow {
  id: string;
  message_id: string;
  link_id: string | null;
  campaign_id: string;
  campaign_name: string;
}

async function campaignEvents(
  tx: Connection,
  workspacePk: number,
  clicks: readonly ToldClick[],
): Promise<NewEvent[]> {
  const ids = clicks.flatMap(({ link }) => parseId("rcp", link.externalId ?? "") ?? []);
  if (ids.length === 0) return [];
  // Answered by campaign_recipient_id and campaign_pkey.
  const rows = await tx.query<RecipientRow>(sql`
    SELECT recipient.id, recipient.message_id, recipient.link_id,
      campaign.id AS campaign_id, campaign.name AS campaign_name
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = recipient.campaign_pk
    WHERE recipient.id = ANY(${[...new Set(ids)]}::uuid[])
      AND recipient.workspace_pk = ${workspacePk}
      AND campaign.deleted_at IS NULL`);
  // Members may use the same externalId for a link of their own.
  const byLink = new Map(rows.map((row) => [row.link_id && presentId("link", row.link_id), row]));
  return clicks.flatMap(({ click, link, first }) => {
    // defence: campaign-clicks-of-recipients
    const row = byLink.get(link.id);
    if (!row) return [];
    const campaign = { id: row.campaign_id, name: row.campaign_name };
    const recipient = { id: presentId("rcp", row.id), messageId: row.message_id };
    const data = { campaign, recipient, click, link, first };
    return [{ workspacePk, type: "campaign.clicked" as const, linkId: link.id, data }];
  });
}
